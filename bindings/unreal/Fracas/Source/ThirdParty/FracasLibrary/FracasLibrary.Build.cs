// The library itself: headers and binaries that `fill` copied here. The shared library, since a second Rust library, linked
// statically into the same program, would clash with a static one.
using System.IO;
using UnrealBuildTool;

public class FracasLibrary : ModuleRules
{
	public FracasLibrary(ReadOnlyTargetRules Target) : base(Target)
	{
		Type = ModuleType.External;
		PublicSystemIncludePaths.Add(Path.Combine(ModuleDirectory, "include"));

		string Lib = Path.Combine(ModuleDirectory, "lib", Target.Platform.ToString());
		string Binaries = Path.Combine("$(PluginDir)", "Binaries", "ThirdParty", "FracasLibrary", Target.Platform.ToString());
		if (Target.Platform == UnrealTargetPlatform.Win64)
		{
			// Delay-loaded: FracasModule.cpp loads it from the plugin's own folder.
			PublicAdditionalLibraries.Add(Path.Combine(Lib, "fracas.dll.lib"));
			PublicDelayLoadDLLs.Add("fracas.dll");
			RuntimeDependencies.Add(Path.Combine(Binaries, "fracas.dll"));
		}
		else if (Target.Platform == UnrealTargetPlatform.Linux)
		{
			PublicAdditionalLibraries.Add(Path.Combine(Lib, "libfracas.so"));
			PublicRuntimeLibraryPaths.Add(Binaries);
			RuntimeDependencies.Add(Path.Combine(Binaries, "libfracas.so.1"));
		}
		else if (Target.Platform == UnrealTargetPlatform.Mac)
		{
			PublicAdditionalLibraries.Add(Path.Combine(Lib, "libfracas.dylib"));
			PublicRuntimeLibraryPaths.Add(Binaries);
			RuntimeDependencies.Add(Path.Combine(Binaries, "libfracas.dylib"));
		}
	}
}
