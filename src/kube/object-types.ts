import type { KubeObject, UntypedObject } from '../core/index.ts'
import type { BuiltinKinds, KubeKinds, NamedObjectMeta } from '../core/kinds/index.ts'

// The built-in names beside `string` keep the literals of an argument, and editors complete them.
/** What an interface of one's own needs in order to be read and written as an object; it needs no index signature. */
export interface ObjectShape {
  apiVersion: BuiltinApiVersion | (string & {})
  kind: BuiltinKind | (string & {})
  metadata: { name?: string; namespace?: string; generateName?: string }
}

/** The group that a reference may name: any, when a type of one's own was given instead of a group. */
export type GroupArgument<Group extends string | ObjectShape> = Group extends ObjectShape ? string : Group

/** The object that a reference names: the type given, else the type of its kind, else an untyped object. */
export type ReferencedObject<
  Group extends string | ObjectShape,
  Version extends string,
  Kind extends string,
> = Group extends string ? KubeObject<ApiVersionOf<Group, Version>, Kind> : Group

/** The objects that a query gives; with `metadataOnly` they have no more than their metadata. */
export type QueriedObject<
  Group extends string | ObjectShape,
  Version extends string,
  Kind extends string,
  MetadataOnly extends boolean,
> = [MetadataOnly] extends [false]
  ? ReferencedObject<Group, Version, Kind>
  : [MetadataOnly] extends [true]
    ? MetadataOf<ReferencedObject<Group, Version, Kind>>
    : UntypedObject

/** What is left of an object when only its metadata is read, or when it was deleted unseen. */
export type MetadataOf<Object> = string extends keyof Object
  ? Object
  : Object extends { apiVersion: infer ApiVersion; kind: infer Kind }
    ? { apiVersion: ApiVersion; kind: Kind; metadata: NamedObjectMeta }
    : UntypedObject

/** An object to create, checked against the type of its kind; its name may be left to the server. */
export type ObjectToCreate<Object> = CheckedObject<Object, Unnamed<KnownObject<Object>>, Object | Unnamed<Object>>

/** An object to write, checked against the type of its kind. */
export type ObjectToUpdate<Object> = CheckedObject<Object, KnownObject<Object>, Object>

/** An object to apply, checked against the type of its kind; it may hold only the fields that it is about. */
export type ObjectToApply<Object> = CheckedObject<Object, Applied<KnownObject<Object>>, Object>

/** The object that the server answers a write with. */
export type WrittenObject<Object> = [KnownObject<Object>] extends [never] ? Object & UntypedObject : KnownObject<Object>

/** One operation of a JSON patch (RFC 6902). */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly path: string; readonly from: string }

/** A JSON merge patch (RFC 7386): null removes a field, and lists are whole. */
export type MergePatch<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { readonly [Field in keyof Value]?: MergePatch<Value[Field]> | null }
    : Value

/** A strategic merge patch: null removes a field, lists merge by their keys, and `$patch` and its like are directives. */
export type StrategicPatch<Value> = Value extends readonly (infer Item)[]
  ? readonly StrategicPatch<Item>[]
  : Value extends object
    ? { readonly [Field in keyof Value]?: StrategicPatch<Value[Field]> | null } & {
        readonly [directive: `$${string}`]: unknown
      }
    : Value

/** The patch of an object by its type; that of an untyped object is any JSON. */
export type PatchOf<Object, Type extends 'json' | 'merge' | 'strategic'> = string extends keyof Object
  ? unknown
  : Type extends 'json'
    ? readonly JsonPatchOperation[]
    : Type extends 'merge'
      ? MergePatch<Object>
      : StrategicPatch<Object>

/** The object that a subresource answers with. */
export type SubresourceObject<Object, Subresource extends string> = string extends Subresource
  ? UntypedObject
  : Subresource extends 'scale'
    ? KubeObject<'autoscaling/v1', 'Scale'>
    : Subresource extends OwnSubresource
      ? Object
      : UntypedObject

/** Subresources that are written and answered as the object itself. */
export type OwnSubresource = 'status' | 'resize' | 'ephemeralcontainers' | 'approval' | 'finalize'

/** The apiVersions of the built-in kinds. */
export type BuiltinApiVersion = SplitKey<keyof BuiltinKinds>[0]

/** The names of the built-in kinds. */
export type BuiltinKind = SplitKey<keyof BuiltinKinds>[1]

/** The built-in kinds of an apiVersion. */
export type BuiltinKindOf<ApiVersion extends string> = Extract<SplitKey<keyof BuiltinKinds>, [ApiVersion, string]>[1]

/** A kind: one of those that a built-in apiVersion has, or any of another one. */
export type KindArgument<ApiVersion extends string, Kind extends string> = ApiVersion extends BuiltinApiVersion
  ? Kind extends KindOf<ApiVersion>
    ? Kind
    : KindOf<ApiVersion>
  : Kind

/** The built-in kinds of an apiVersion, and those that an application has added to it. */
type KindOf<ApiVersion extends string> = Extract<SplitKey<keyof KubeKinds>, [ApiVersion, string]>[1]

type SplitKey<Key extends string> = Key extends `${infer Group}/${infer Version}/${infer Kind}`
  ? [`${Group}/${Version}`, Kind]
  : Key extends `${infer Version}/${infer Kind}`
    ? [Version, Kind]
    : never

type ApiVersionOf<Group extends string, Version extends string> = string extends Group | Version
  ? string
  : Group extends ''
    ? Version
    : `${Group}/${Version}`

/** The type of an object whose apiVersion and kind are literals; never when there is none. */
type KnownObject<Object> = Object extends {
  apiVersion: infer ApiVersion extends string
  kind: infer Kind extends string
}
  ? `${ApiVersion}/${Kind}` extends keyof KubeKinds
    ? KubeKinds[`${ApiVersion}/${Kind}`]
    : never
  : never

/** The type of a known kind, the right kinds for a kind that its built-in apiVersion does not have, else what was given. */
type CheckedObject<Object, Known, Other> = [KnownObject<Object>] extends [never]
  ? Object extends { apiVersion: infer ApiVersion extends BuiltinApiVersion; kind: infer Kind extends string }
    ? string extends Kind
      ? Other
      : { apiVersion: ApiVersion; kind: BuiltinKindOf<ApiVersion>; metadata: unknown }
    : Other
  : Known

type Unnamed<Object> = string extends keyof Object
  ? Object
  : Object extends { metadata: infer Metadata }
    ? Omit<Object, 'metadata'> & { metadata: Omit<Metadata, 'name'> & { name?: string } }
    : never

type Applied<Object> = Object extends { apiVersion: infer ApiVersion; kind: infer Kind; metadata: infer Metadata }
  ? { apiVersion: ApiVersion; kind: Kind; metadata: Metadata } & PartialDeep<
      Omit<Object, 'apiVersion' | 'kind' | 'metadata'>
    >
  : never

type PartialDeep<Value> = Value extends readonly (infer Item)[]
  ? readonly PartialDeep<Item>[]
  : Value extends object
    ? { readonly [Field in keyof Value]?: PartialDeep<Value[Field]> }
    : Value
