// Libraries, functions, pipelines, archives: texts that clang compiles.

#include <fstream>
#include <thread>

#include "tests/standin/metal/objects.h"

NSString* const MTLLibraryErrorDomain = @"MTLLibraryErrorDomain";
NSString* const MTLBinaryArchiveDomain = @"MTLBinaryArchiveDomain";

namespace wb::standin {
namespace {

constexpr NSInteger kCompileFailure = 3;  // MTLLibraryErrorCompileFailure
constexpr NSInteger kInvalidFile = 1;     // MTLBinaryArchiveErrorInvalidFile

bool ReadWord(std::ifstream& in, uint64_t* word) {
  return static_cast<bool>(in.read(reinterpret_cast<char*>(word), sizeof *word));
}

// Per text: its digest, the object's length in 8 bytes, the object.
bool ReadArchive(const std::string& path, std::map<Digest, Bytes>* objects) {
  std::ifstream in(path, std::ios::binary);
  uint64_t count = 0;
  if (!ReadWord(in, &count) || count > 1024) return false;
  while (count-- > 0) {
    Digest key;
    uint64_t size = 0;
    in.read(reinterpret_cast<char*>(key.bytes.data()), key.bytes.size());
    if (!ReadWord(in, &size) || size > (uint64_t{1} << 32)) return false;
    Bytes object(size);
    in.read(reinterpret_cast<char*>(object.data()), static_cast<std::streamsize>(size));
    if (!in) return false;
    Know(key, object);
    (*objects)[key] = std::move(object);
  }
  return true;
}

bool WriteArchive(const std::string& path, const std::map<Digest, Bytes>& objects) {
  std::ofstream out(path, std::ios::binary);
  const auto word = [&out](uint64_t value) {
    out.write(reinterpret_cast<const char*>(&value), sizeof value);
  };
  word(objects.size());
  for (const auto& [key, object] : objects) {
    out.write(reinterpret_cast<const char*>(key.bytes.data()), key.bytes.size());
    word(object.size());
    out.write(reinterpret_cast<const char*>(object.data()),
              static_cast<std::streamsize>(object.size()));
  }
  out.close();
  return static_cast<bool>(out);
}

bool InAnArchive(NSArray* archives, const Digest& key) {
  for (WBStandInArchive* archive in archives) {
    if (archive->objects->count(key) != 0) return true;
  }
  return false;
}

}  // namespace

void Assert(const char* what) {
  std::fprintf(stderr, "failed assertion `%s'\n", what);
  std::abort();
}

NSError* ErrorOf(NSString* domain, NSInteger code, const std::string& text) {
  NSString* said = [NSString stringWithUTF8String:text.c_str()];
  NSDictionary* info = [NSDictionary dictionaryWithObject:said forKey:NSLocalizedDescriptionKey];
  return [NSError errorWithDomain:domain code:code userInfo:info];
}

}  // namespace wb::standin

using namespace wb::standin;

@implementation MTLCompileOptions
@synthesize languageVersion = languageVersion_;
@synthesize mathMode = mathMode_;
@synthesize mathFloatingPointFunctions = mathFloatingPointFunctions_;
@synthesize fastMathEnabled = fastMathEnabled_;
- (id)init {
  if ((self = [super init])) {
    mathMode_ = MTLMathModeFast;
    fastMathEnabled_ = YES;
  }
  return self;
}
@end

@implementation MTLComputePipelineDescriptor
@synthesize label = label_;
@synthesize computeFunction = computeFunction_;
@synthesize threadGroupSizeIsMultipleOfThreadExecutionWidth = isMultiple_;
@synthesize binaryArchives = binaryArchives_;
- (void)dealloc {
  [label_ release];
  [computeFunction_ release];
  [binaryArchives_ release];
  [super dealloc];
}
@end

@implementation MTLBinaryArchiveDescriptor
@synthesize url = url_;
- (void)dealloc {
  [url_ release];
  [super dealloc];
}
@end

@implementation WBStandInLibrary
- (id<MTLFunction>)newFunctionWithName:(NSString*)functionName {
  if (![functionName isEqualToString:@"wb_main"]) return nil;
  WBStandInFunction* function = [[WBStandInFunction alloc] init];
  function->library = [self retain];
  return function;
}
- (void)dealloc {
  delete text;
  [super dealloc];
}
@end

@implementation WBStandInFunction
- (NSString*)name {
  return @"wb_main";
}
- (void)dealloc {
  [library release];
  [super dealloc];
}
@end

@implementation WBStandInPipeline
- (NSUInteger)maxTotalThreadsPerThreadgroup {
  return 896;
}
- (NSUInteger)threadExecutionWidth {
  return 32;
}
- (void)dealloc {
  delete object;
  [super dealloc];
}
@end

@implementation WBStandInArchive
- (BOOL)addComputePipelineFunctionsWithDescriptor:(MTLComputePipelineDescriptor*)descriptor
                                            error:(NSError**)error {
  WBStandInFunction* function = (WBStandInFunction*)descriptor.computeFunction;
  const auto object = ObjectOf(*function->library->text);
  if (!object.ok()) {
    *error = ErrorOf(MTLBinaryArchiveDomain, kCompileFailure, object.status().message());
    return NO;
  }
  (*objects)[KeyOf(*function->library->text)] = *object;
  return YES;
}
- (BOOL)serializeToURL:(NSURL*)url error:(NSError**)error {
  if (Now().keeps_archives && WriteArchive([[url path] UTF8String], *objects)) return YES;
  *error = ErrorOf(MTLBinaryArchiveDomain, kInvalidFile, "The archive cannot be written.");
  return NO;
}
- (void)dealloc {
  delete objects;
  [super dealloc];
}
@end

@implementation WBStandInCompiler
- (id<MTLLibrary>)newLibraryWithSource:(NSString*)source
                               options:(MTLCompileOptions*)options
                                 error:(NSError**)error {
  std::this_thread::sleep_for(Now().library_time);
  if (options == nil || options.mathMode != MTLMathModeSafe || options.fastMathEnabled) {
    *error = ErrorOf(MTLLibraryErrorDomain, kCompileFailure, "The stand-in has no fast math.");
    return nil;
  }
  const auto object = ObjectOf([source UTF8String]);
  if (!object.ok()) {
    *error = ErrorOf(MTLLibraryErrorDomain, kCompileFailure, object.status().message());
    return nil;
  }
  WBStandInLibrary* library = [[WBStandInLibrary alloc] init];
  library->text = new std::string([source UTF8String]);
  return library;
}
- (id<MTLComputePipelineState>)
    newComputePipelineStateWithDescriptor:(MTLComputePipelineDescriptor*)descriptor
                                  options:(MTLPipelineOption)options
                               reflection:(MTLAutoreleasedComputePipelineReflection*)reflection
                                    error:(NSError**)error {
  (void)reflection;
  const std::string& text = *((WBStandInFunction*)descriptor.computeFunction)->library->text;
  const bool is_archived = InAnArchive(descriptor.binaryArchives, KeyOf(text));
  if (is_archived) RecordArchiveHit();
  if (!is_archived && (options & MTLPipelineOptionFailOnBinaryArchiveMiss) != 0) return nil;
  if (!is_archived) std::this_thread::sleep_for(Now().pipeline_time);
  const auto object = ObjectOf(text);
  auto loaded = object.ok() ? wb::SharedObject::Load(*object) : object.status();
  if (!loaded.ok()) {
    *error = ErrorOf(MTLLibraryErrorDomain, kCompileFailure, loaded.status().message());
    return nil;
  }
  WBStandInPipeline* pipeline = [[WBStandInPipeline alloc] init];
  pipeline->object = new wb::SharedObject(std::move(loaded).value());
  pipeline->kernel = reinterpret_cast<KernelFunction>(pipeline->object->Find("wb_main"));
  if (pipeline->kernel == nullptr) Assert("the text has no kernel wb_main");
  return pipeline;
}
- (id<MTLBinaryArchive>)newBinaryArchiveWithDescriptor:(MTLBinaryArchiveDescriptor*)descriptor
                                                 error:(NSError**)error {
  WBStandInArchive* archive = [[WBStandInArchive alloc] init];
  archive->objects = new std::map<wb::Digest, wb::Bytes>;
  if (descriptor.url == nil) return archive;
  if (ReadArchive([[descriptor.url path] UTF8String], archive->objects)) return archive;
  *error = ErrorOf(MTLBinaryArchiveDomain, kInvalidFile, "This is no archive.");
  [archive release];
  return nil;
}
@end
