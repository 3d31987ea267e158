/** A filter or a function of templates; it ends a template by a TemplateFailure. */
export type TemplateFunction = (...args: readonly unknown[]) => unknown

/** Filters by their names; the first argument is what is filtered. */
export type FilterTable = Readonly<Record<string, TemplateFunction>>
