#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

/// What a brush tells.
@protocol BrushDelegate <NSObject>
/// Called at the end.
- (void)brushDidDry:(id)sender after:(NSTimeInterval)seconds;
@optional
@property (nonatomic, readonly) BOOL wet;
@end

/// A brush.
@interface Brush<Hair : id<NSCopying>> : NSObject <NSCopying>
@property (nonatomic, copy, nullable) NSString *name;
@property (class, readonly) Brush *standard;
- (instancetype)initWithWidth:(double)width NS_DESIGNATED_INITIALIZER;
+ (nullable instancetype)brushNamed:(NSString *)name error:(NSError **)error;
- (void)paint:(NSArray<Hair> *)hairs completion:(void (^)(BOOL done))completion;
@end

@interface Brush (Cleaning)
- (void)clean;
@end

/// Widths.
typedef NS_ENUM(NSInteger, BrushWidth) { BrushWidthNarrow, BrushWidthWide = 2 };
extern NSString *const BrushName;

NS_ASSUME_NONNULL_END
