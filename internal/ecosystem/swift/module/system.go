package module

import (
	"strings"
	"sync"
)

// IsSystem reports whether a module belongs to a toolchain, a system or an SDK, on any platform.
func IsSystem(name string) bool {
	// Overlays, such as _MapKit_SwiftUI, and modules that only other modules of a system import, begin with an underscore.
	return systemModules()[name] || strings.HasPrefix(name, "_")
}

// systemModules returns the names in all lists of modules.
var systemModules = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	add := func(list string) {
		for name := range strings.FieldsSeq(list) {
			names[name] = true
		}
	}
	for _, list := range []string{everywhereModules, openModules, appleModules, otherModules} {
		add(list)
	}
	for _, list := range frameworksOf {
		add(list)
	}
	return names
})

// otherModules are the modules of toolchains, systems and SDKs that are not in the other lists.
const otherModules = " PackageDescription PackagePlugin PlaygroundSupport CompilerPluginSupport SwiftGlibc Glibc Musl SwiftMusl Android Bionic WASILibc wasi_pthread Wasm ucrt CRT WinSDK VisualC _visualc_intrinsics " +
	"UIKit AppKit Cocoa IOKit WatchKit ARKit RealityKit HealthKit HomeKit TVUIKit TVMLKit TVServices Carbon ARHeadsetKit " +
	"AGL AVFAudio AVRouting AVFCore Accessibility AccessorySetupKit Accounts ActivityKit AdAttributionKit AdServices AdSupport AddressBook AddressBookUI AlarmKit AppClip " +
	"AppTrackingTransparency AppleArchive ApplicationServices AssetsLibrary AudioDriverKit AudioUnit AudioVideoBridging AutomaticAssessmentConfiguration Automator " +
	"BackgroundAssets BackgroundTasks BlockStorageDeviceDriverKit BrowserEngineCore BrowserEngineKit BusinessChat CallKit CarKey CarPlay Cinematic ClassKit ClockKit CloudKit " +
	"Collaboration ColorSync CompositorServices ContactProvider ContactsUI CoreAudioKit CoreAudioTypes CoreBluetooth CoreDisplay CoreFoundation CoreHID CoreHaptics CoreImage CoreLocationUI CoreMIDI CoreMIDIServer " +
	"CoreMediaIO CoreNFC CoreServices CoreTelephony CoreWLAN CoreWiFi CreateML CreateMLComponents CryptoTokenKit DarwinFoundation DataDetection DeveloperToolsSupport DeviceActivity " +
	"DeviceCheck DeviceDiscoveryExtension DeviceDiscoveryUI DeviceManagement DirectoryService DiscRecording DiscRecordingUI DiskArbitration DockKit DriverKit EnergyKit EventKitUI ExceptionHandling " +
	"ExecutionPolicy ExposureNotification ExtensionFoundation ExtensionKit ExternalAccessory FSKit FamilyControls FileProvider FileProviderUI FinanceKit FinanceKitUI FinderSync ForceFeedback FoundationModels " +
	"GLKit GLUT GSS GameController GameplayKit GameSave GroupActivities HIDDriverKit HealthKitUI Hypervisor ICADevices IOBluetooth IOBluetoothUI IOSurface IOUSBHost IdentityLookup IdentityLookupUI ImageCaptureCore ImageIO " +
	"ImagePlayground InputMethodKit InstallerPlugins InstantMessage IntentsUI JavaNativeFoundation JavaRuntimeSupport JavaScriptCore JournalingSuggestions Kerberos Kernel KernelManagement LDAP LatentSemanticMapping " +
	"LinkPresentation LiveCommunicationKit LocalAuthenticationEmbeddedUI LockedCameraCapture LowLatencyHLS MLCompute ManagedApp ManagedAppDistribution ManagedSettings ManagedSettingsUI Marketplace MarketplaceKit Matter MatterSupport " +
	"MediaAccessibility MediaExtension MediaLibrary MediaPlayer MediaSetup MediaToolbox MessageUI Messages MetalFX MetalPerformancePrimitives MetalPerformanceShaders MetalPerformanceShadersGraph MetricKit MobileCoreServices ModelIO MusicKit " +
	"NearbyInteraction NetFS NetworkExtension NetworkingDriverKit NewsstandKit NotificationCenter OSAKit OSLog OpenAL OpenCL OpenDirectory OpenGL OpenGLES PCIDriverKit PCSC PDFKit PHASE " +
	"PaperKit ParavirtualizedGraphics PassKit PencilKit PermissionKit PhotosUI PreferencePanes ProximityReader PushKit PushToTalk Python QTKit Quartz QuickLook QuickLookThumbnailing QuickLookUI RealityFoundation RelevanceKit " +
	"ReplayKit RoomPlan Ruby SCSIControllerDriverKit SMS SafetyKit ScreenCaptureKit ScreenSaver ScreenTime ScriptingBridge SecureElementCredential SecurityFoundation SecurityInterface SecurityUI SensitiveContentAnalysis SensorKit " +
	"SerialDriverKit ServiceManagement ShaderGraph SharedWithYou SharedWithYouCore ShazamKit Social SoundAnalysis Speech StickerFoundation StickerKit StoreKitTest Symbols SyncServices SystemExtensions TWAIN Tcl ThreadNetwork " +
	"TipKit Tk TranslationUIProvider Translation Twitter USBDriverKit USBSerialDriverKit UserNotificationsUI VideoDecodeAcceleration VideoSubscriberAccount Virtualization VisionKit VisualIntelligence WatchConnectivity WeatherKit WebKitLegacy " +
	"WiFiAware WidgetKit WorkoutKit XCTestCore XCUIAutomation XcodeKit XcodeProjectPlugin libkern libxml2 ncurses sqlite3 SQLite3 xpc vImage vmnet Compression compression cups dnssd dlfcn editline ffi hfs krb5 net " +
	"iconv CommonCrypto copyfile DTDMath bsm AppleTextureEncoder Darwin_C dispatch unistd sys_types launch pwd pthread sandbox simd uuid machine mach oslog notify locale_h xlocale objc_runtime "
