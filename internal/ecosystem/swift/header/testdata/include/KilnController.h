#import <Foundation/Foundation.h>
@class KilnZone;
@protocol KilnDelegate;

NS_ASSUME_NONNULL_BEGIN

FOUNDATION_EXPORT NSString *const KilnErrorDomain;

/// What a kiln does.
typedef NS_ENUM(NSInteger, KilnMode) {
  /// It rests.
  KilnModeIdle = 0,
  KilnModeFiring NS_SWIFT_NAME(burning), // hot
} NS_SWIFT_NAME(Kiln.Mode);

typedef NS_OPTIONS(NSUInteger, KilnFlags) { KilnFlagQuiet = 1 << 0, KilnFlagFast = 1 << 1 };

typedef void (^KilnCompletion)(BOOL done, NSError *_Nullable error);

/*!
 @abstract Controls a kiln.
 @discussion One for each kiln.
 */
API_AVAILABLE(macos(10.15), ios(13))
@interface KilnController<Zone : id<NSCopying>> : NSObject <NSCopying, KilnDelegate> {
  int _ivar;
}

/// The target.
@property (nonatomic, readonly, nullable, copy) NSString *name NS_SWIFT_NAME(title);
@property (class, nonatomic, readonly) KilnController *shared;
@property (nonatomic, copy, nullable) void (^onDone)(BOOL done);

- (instancetype)init NS_UNAVAILABLE;
/*!
 @param celsius The target.
 @return Whether it began.
 */
- (BOOL)fireTo:(double)celsius completion:(KilnCompletion)completion NS_SWIFT_NAME(fire(to:completion:));
+ (nullable instancetype)controllerWithFormat:(NSString *)format, ... NS_FORMAT_FUNCTION(1,2);
- (void)stop __attribute__((deprecated("Use -pause.")));
- (void)pause;

typedef int KilnInner;
@end

/// More of it.
@interface KilnController (Zones)
- (KilnZone *)zoneAtIndex:(NSUInteger)index;
@end

@interface NSString (Kiln)
- (NSString *)kilnName;
@end

@protocol KilnDelegate <NSObject>
@required
- (void)kilnDidFinish:(KilnController *)kiln;
@optional
- (void)kiln:(KilnController *)kiln didFailWithError:(NSError *)error;
@end

NS_ASSUME_NONNULL_END
