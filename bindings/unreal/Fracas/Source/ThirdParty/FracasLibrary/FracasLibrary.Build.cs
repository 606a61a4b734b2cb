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

		string Folder = Path.Combine("Binaries", "ThirdParty", "FracasLibrary", Target.Platform.ToString());
		string Linked = Path.Combine(PluginDirectory, Folder);
		string Staged = Path.Combine("$(PluginDir)", Folder);
		if (Target.Platform == UnrealTargetPlatform.Win64)
		{
			// Delay-loaded: FracasModule.cpp loads it from the plugin's own folder.
			PublicAdditionalLibraries.Add(Path.Combine(Linked, "fracas.dll.lib"));
			PublicDelayLoadDLLs.Add("fracas.dll");
			RuntimeDependencies.Add(Path.Combine(Staged, "fracas.dll"));
		}
		else if (Target.Platform == UnrealTargetPlatform.Linux)
		{
			// Linked where it is staged: the path in which programs look for it is made of that. They look for its soname.
			PublicAdditionalLibraries.Add(Path.Combine(Linked, "libfracas.so"));
			RuntimeDependencies.Add(Path.Combine(Staged, "libfracas.so.1"));
		}
		else if (Target.Platform == UnrealTargetPlatform.Mac)
		{
			// Its install name is that of the file.
			PublicAdditionalLibraries.Add(Path.Combine(Linked, "libfracas.1.dylib"));
			RuntimeDependencies.Add(Path.Combine(Staged, "libfracas.1.dylib"));
		}
	}
}
