using UnrealBuildTool;

public class Fracas : ModuleRules
{
	public Fracas(ReadOnlyTargetRules Target) : base(Target)
	{
		PCHUsage = PCHUsageMode.UseExplicitOrSharedPCHs;
		PublicDependencyModuleNames.AddRange(new string[] { "Core", "CoreUObject", "Engine", "PhysicsCore", "ProceduralMeshComponent", "FracasLibrary" });
		PrivateDependencyModuleNames.AddRange(new string[] { "Chaos", "Projects", "RenderCore", "RHI" });
	}
}
