// Declarations of what the plugin uses of Unreal Engine 5.3, written by hand from its documented interface, so that the plugin's
// syntax and types can be checked without the engine: our own text, none of Epic's. Macros of reflection expand to nothing. What
// the test of the hooks runs (memory, log, parallel loops) works; everything else is declared only.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

using int32 = std::int32_t;
using int64 = std::int64_t;
using uint8 = std::uint8_t;
using uint32 = std::uint32_t;
using uint64 = std::uint64_t;
using TCHAR = char16_t;

#define TEXT(Text) u##Text
#define FRACAS_API
#define PLATFORM_WINDOWS 0
#define WITH_EDITOR 1
#define WITH_EDITORONLY_DATA 1

#define UCLASS(...)
#define USTRUCT(...)
#define UFUNCTION(...)
#define UPROPERTY(...)
#define GENERATED_BODY()

class UObject;
enum { INDEX_NONE = -1 };

class FName
{
public:
	FName() = default;
	FName(const TCHAR* Name);
};
inline const FName NAME_None;

class FString
{
public:
	FString() = default;
	FString(const TCHAR* Text);
	const TCHAR* operator*() const;
};

/** Valid until the end of the expression. */
class FUTF8ToTCHAR
{
public:
	explicit FUTF8ToTCHAR(const char* Text)
	{
		for (; *Text != 0; ++Text) Kept.push_back(static_cast<unsigned char>(*Text));
		Kept.push_back(0);
	}
	const TCHAR* Get() const { return Kept.data(); }

private:
	std::vector<TCHAR> Kept;
};
#define UTF8_TO_TCHAR(Text) FUTF8ToTCHAR(Text).Get()

template <class T>
class TArray
{
public:
	int32 Num() const { return static_cast<int32>(Kept.size()); }
	int32 Add(const T& Item) { Kept.push_back(Item); return Num() - 1; }
	int32 AddUnique(const T& Item);
	int32 Remove(const T& Item);
	bool Contains(const T& Item) const;
	void Append(const T* Items, int32 Count);
	void Reset(int32 NewSize = 0);
	T* GetData() { return Kept.data(); }
	const T* GetData() const { return Kept.data(); }
	T& operator[](int32 Index) { return Kept[static_cast<size_t>(Index)]; }
	const T& operator[](int32 Index) const { return Kept[static_cast<size_t>(Index)]; }
	T* begin() { return Kept.data(); }
	T* end() { return Kept.data() + Kept.size(); }
	const T* begin() const { return Kept.data(); }
	const T* end() const { return Kept.data() + Kept.size(); }

private:
	std::vector<T> Kept;
};

template <class T>
class TFunctionRef;
template <class R, class... A>
class TFunctionRef<R(A...)>
{
public:
	template <class F, class = std::enable_if_t<!std::is_same_v<std::decay_t<F>, TFunctionRef> && std::is_invocable_r_v<R, F, A...>>>
	TFunctionRef(F&& Function) : Call([&Function](A... Arguments) -> R { return Function(Arguments...); }) {}
	R operator()(A... Arguments) const { return Call(Arguments...); }

private:
	std::function<R(A...)> Call;
};
template <class T>
class TUniqueFunction;
template <class R, class... A>
class TUniqueFunction<R(A...)>
{
public:
	template <class F>
	TUniqueFunction(F&& Function) { static_assert(std::is_invocable_r_v<R, F, A...>); (void)Function; }
};

template <class T>
class TObjectPtr
{
public:
	TObjectPtr() = default;
	TObjectPtr(T* Object) : Kept(Object) {}
	TObjectPtr& operator=(T* Object) { Kept = Object; return *this; }
	operator T*() const { return Kept; }
	T* operator->() const { return Kept; }
	bool operator!=(std::nullptr_t) const { return Kept != nullptr; }
	T& operator*() const { return *Kept; }
	bool operator==(std::nullptr_t) const { return Kept == nullptr; }

private:
	T* Kept = nullptr;
};
template <class T>
class TWeakObjectPtr
{
public:
	explicit TWeakObjectPtr(T* Object);
	T* Get() const;
};

struct FMath
{
	template <class T>
	static T Max(T A, T B) { return A > B ? A : B; }
	template <class T>
	static T Min(T A, T B) { return A < B ? A : B; }
	template <class T>
	static T Clamp(T X, T Low, T High) { return X < Low ? Low : X > High ? High : X; }
	static bool IsNearlyEqual(double A, double B, double Tolerance = 1e-8);
};

struct FVector
{
	double X, Y, Z;
	FVector() = default;
	FVector(double InX, double InY, double InZ);
	static const FVector ZeroVector;
	FVector operator+(const FVector& V) const;
	double Size() const;
	FVector GetSafeNormal(double Tolerance = 1e-8) const;
};
FVector operator*(double Scale, const FVector& V);
struct FVector3f { float X, Y, Z; };
struct FVector4f { float X, Y, Z, W; };
struct FVector2f
{
	float X, Y;
	FVector2f(float InX, float InY);
};
struct FVector2D
{
	double X, Y;
	FVector2D(double InX, double InY);
};
struct FQuat
{
	double X, Y, Z, W;
	FQuat(double InX, double InY, double InZ, double InW);
};
class FTransform
{
public:
	FTransform() = default;
	FTransform(const FQuat& InRotation, const FVector& InTranslation, const FVector& InScale3D = FVector(1, 1, 1));
	FQuat GetRotation() const;
	FVector GetLocation() const;
	FVector GetScale3D() const;
};
struct FBox
{
	FVector Min, Max;
	bool Intersect(const FBox& Other) const;
};
struct FBoxSphereBounds
{
	FVector Origin, BoxExtent;
	double SphereRadius;
	FBox GetBox() const;
};
struct FColor
{
	FColor() = default;
	FColor(uint8 R, uint8 G, uint8 B, uint8 A = 255);
};

// Logs: a category is an object, and the test has a place where messages go.
namespace ELogVerbosity
{
enum Type { Error, Warning, Log };
}
struct FLogCategory
{
	const char* Name;
};
/** Of the test: gets every message. The arguments are the values of the format. */
void Logged(const FLogCategory& Category, ELogVerbosity::Type Verbosity, const TCHAR* Format, const TCHAR* Text);
inline void LoggedAll(const FLogCategory& Category, ELogVerbosity::Type Verbosity, const TCHAR* Format, const TCHAR* Text) { Logged(Category, Verbosity, Format, Text); }
template <class... A>
void LoggedAll(const FLogCategory& Category, ELogVerbosity::Type Verbosity, const TCHAR* Format, A...) { Logged(Category, Verbosity, Format, nullptr); }
#define DECLARE_LOG_CATEGORY_EXTERN(Category, Default, CompileTime) extern FLogCategory Category
#define DEFINE_LOG_CATEGORY(Category) FLogCategory Category{#Category}
#define UE_LOG(Category, Verbosity, ...) LoggedAll(Category, ELogVerbosity::Verbosity, __VA_ARGS__)

// Objects.
class FObjectInitializer
{
public:
	static const FObjectInitializer& Get();
};
class UObject
{
public:
	UObject() = default;
	explicit UObject(const FObjectInitializer&) {}
	virtual ~UObject() = default;
	FString GetName() const;
	uint32 GetUniqueID() const;
	virtual class UWorld* GetWorld() const;
	virtual bool Modify(bool bAlwaysMarkDirty = true);
	virtual void BeginDestroy();
};
enum EObjectFlags { RF_NoFlags = 0, RF_Transient = 0x40, RF_TextExportTransient = 0x400000 };
inline EObjectFlags operator|(EObjectFlags A, EObjectFlags B) { return static_cast<EObjectFlags>(int(A) | int(B)); }
template <class T>
T* NewObject(UObject* Outer, FName Name = NAME_None, EObjectFlags Flags = RF_NoFlags);

// Delegates, seen from C++.
template <class... A>
struct TDynamicMulticastDelegate
{
	void Broadcast(A... Arguments) const;
	template <class T, class... B>
	void AddUniqueDynamic(T* Object, void (T::*Function)(B...))
	{
		static_assert(std::is_same_v<void(A...), void(B...)>, "the handler has the parameters of the delegate");
		(void)Object, (void)Function;
	}
};
#define DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(Name, T1, N1, T2, N2) using Name = TDynamicMulticastDelegate<T1, T2>
#define DECLARE_DYNAMIC_MULTICAST_DELEGATE_ThreeParams(Name, T1, N1, T2, N2, T3, N3) using Name = TDynamicMulticastDelegate<T1, T2, T3>

// Statistics.
struct TStatId {};
#define STATGROUP_Tickables 0
#define RETURN_QUICK_DECLARE_CYCLE_STAT(Name, Group) return TStatId()
