package module

import "strings"

// has reports whether a module is part of the platform.
func (p *platform) has(name string) bool {
	if contains(everywhereModules, name) {
		return name != "Dispatch" || p.os != "WASI"
	}
	switch {
	case p.apple():
		return contains(appleModules, name) || contains(frameworksOf[p.os], name)
	case p.os == "Windows":
		return contains(openModules, name) || contains(" WinSDK ucrt CRT ", name)
	case p.os == "Android":
		return contains(openModules, name) || contains(" Android Bionic ", name)
	case p.os == "WASI":
		return contains(openModules, name) && name != "FoundationNetworking" || contains(" WASILibc ", name)
	}
	return contains(openModules, name) || contains(" Glibc SwiftGlibc ", name)
}

func contains(list, name string) bool { return name != "" && strings.Contains(list, " "+name+" ") }

// These are the modules of toolchains and systems, separated by spaces.
const (
	everywhereModules = " Swift SwiftOnoneSupport _Concurrency _StringProcessing _RegexParser RegexBuilder Synchronization Observation Distributed Cxx CxxStdlib " +
		"_Differentiation _Volatile Foundation Dispatch XCTest Testing Builtin SwiftShims "
	openModules  = " FoundationEssentials FoundationInternationalization FoundationNetworking FoundationXML CDispatch Runtime _FoundationCShims _FoundationICU "
	appleModules = " Darwin ObjectiveC os OSLog Combine CoreFoundation CoreGraphics CoreData CoreImage CoreLocation CoreMedia CoreML CoreText CoreVideo CoreAudio CoreBluetooth " +
		"CoreSpotlight CoreTransferable CoreMotion CloudKit CryptoKit Network Security SystemConfiguration MachO XPC Accelerate AVFoundation AVKit AudioToolbox AuthenticationServices " +
		"CommonCrypto Contacts EventKit GameKit ImageIO Intents LocalAuthentication MapKit Metal MetalKit MultipeerConnectivity NaturalLanguage Photos PhotosUI QuartzCore " +
		"SafariServices SceneKit SpriteKit StoreKit SwiftData SwiftUI SwiftUICore simd System TabularData UniformTypeIdentifiers UserNotifications Vision VideoToolbox WebKit zlib " +
		"CFNetwork DeveloperToolsSupport AppIntents WidgetKit Charts Spatial "
)

// frameworksOf contains the frameworks that only some of Apple's systems have.
var frameworksOf = map[string]string{
	"macOS":    " AppKit Cocoa IOKit ApplicationServices CoreServices Carbon DiskArbitration OpenDirectory SystemExtensions ScriptingBridge ServiceManagement Virtualization ",
	"iOS":      " UIKit ARKit HealthKit HomeKit Messages MessageUI CoreTelephony CoreNFC CarPlay ActivityKit WatchConnectivity ",
	"tvOS":     " UIKit TVUIKit TVServices ",
	"watchOS":  " UIKit WatchKit WatchConnectivity HealthKit ClockKit ",
	"visionOS": " UIKit ARKit RealityKit CompositorServices HealthKit ",
}
