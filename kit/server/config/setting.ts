import * as v from 'valibot'

export type Environment = Readonly<Record<string, string | undefined>>

export type ReportFault = (line: string) => void

export type SettingsReader = { env: Environment; fault: ReportFault }

/**
 * Parses a setting with its schema. The schema's message must complete a sentence that begins with the setting's name.
 * @returns `otherwise` if the setting is empty, unset or invalid; an invalid setting is also reported
 */
export function readSetting<Schema extends v.GenericSchema, const Otherwise>(
  { env, fault }: SettingsReader,
  name: string,
  schema: Schema,
  otherwise: Otherwise,
): v.InferOutput<Schema> | Otherwise {
  const value = env[name]
  if (!value) return otherwise
  const parseResult = v.safeParse(schema, value, { abortPipeEarly: true })
  if (parseResult.success) return parseResult.output
  fault(`${name} ${parseResult.issues[0].message}`)
  return otherwise
}

export const oneOf = <const T extends readonly string[]>(allowed: T) =>
  v.picklist(allowed, ({ input }) => `is ${JSON.stringify(input)}; it must be one of ${allowed.join(', ')}.`)

export const wholeNumber = (least: number, most: number) =>
  v.pipe(
    v.string(),
    v.check(
      (text) => Number.isInteger(Number(text)) && Number(text) >= least && Number(text) <= most,
      ({ input }) => `is ${JSON.stringify(input)}; it must be a whole number from ${least} to ${most}.`,
    ),
    v.transform(Number),
  )

export const numberBetween = (least: number, most: number, message: string) =>
  v.pipe(v.string(), v.transform(Number), v.minValue(least, message), v.maxValue(most, message))

/** Schema for a setting that must match a pattern. The message omits the value, which may be a key. */
export const textMatching = (pattern: RegExp, message: string) => v.pipe(v.string(), v.regex(pattern, message))

export const urlWithScheme = (schemes: readonly string[], message: string) =>
  v.pipe(
    v.string(),
    v.check((value) => URL.canParse(value) && schemes.includes(new URL(value).protocol), message),
  )

export const httpUrl = urlWithScheme(['http:', 'https:'], 'must be an http or https address.')

export const isOrigin = (value: string): boolean =>
  v.is(httpUrl, value) && new URL(value).href === `${new URL(value).origin}/`

export const port = v.pipe(
  textMatching(/^\d{1,5}$/, 'must be a whole number from 0 to 65535.'),
  v.transform(Number),
  v.maxValue(65_535, 'must be a whole number from 0 to 65535.'),
)

/** Reads settings that belong together. Returns `null` if none is set and `needed` is false; otherwise reports each missing setting. */
export function readSettingsGroup<Names extends Record<string, string>>(
  { env, fault }: SettingsReader,
  names: Names,
  needed: boolean,
): Record<keyof Names, string> | null {
  const missingSettings = Object.values(names).filter((name) => !env[name])
  if (missingSettings.length === Object.keys(names).length && !needed) return null
  for (const name of missingSettings) fault(`${name} is missing.`)
  return Object.fromEntries(Object.entries(names).map(([key, name]) => [key, env[name] ?? ''])) as Record<
    keyof Names,
    string
  >
}

export const splitList = (value: string): string[] =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)
