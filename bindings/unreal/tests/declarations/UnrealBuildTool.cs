// Declarations of what the plugin's build rules use of UnrealBuildTool: our own text, for checking syntax and types.
using System.Collections.Generic;

namespace UnrealBuildTool
{
	public class UnrealTargetPlatform
	{
		public static readonly UnrealTargetPlatform Win64 = new UnrealTargetPlatform(), Linux = new UnrealTargetPlatform(), Mac = new UnrealTargetPlatform();
	}
	public class ReadOnlyTargetRules
	{
		public UnrealTargetPlatform Platform { get { return UnrealTargetPlatform.Linux; } }
	}
	public class RuntimeDependencyList
	{
		public void Add(string path) { }
	}
	public class ModuleRules
	{
		public enum ModuleType { CPlusPlus, External }
		public enum PCHUsageMode { UseExplicitOrSharedPCHs }
		public ModuleType Type;
		public PCHUsageMode PCHUsage;
		public string ModuleDirectory { get { return ""; } }
		public string PluginDirectory { get { return ""; } }
		public List<string> PublicSystemIncludePaths = new List<string>(), PublicAdditionalLibraries = new List<string>(), PublicDelayLoadDLLs = new List<string>(),
			PublicRuntimeLibraryPaths = new List<string>(), PublicDependencyModuleNames = new List<string>(), PrivateDependencyModuleNames = new List<string>();
		public RuntimeDependencyList RuntimeDependencies = new RuntimeDependencyList();
		public ModuleRules(ReadOnlyTargetRules target) { }
	}
}
