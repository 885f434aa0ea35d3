import * as v from 'valibot'
import { type JsonFile, parseJsonFile } from '#kit/server/config/json-file.ts'
import { singleLineText } from '#kit/server/config/parse-json.ts'

const numberSchema = v.pipe(
  v.string(),
  v.regex(/^\+?\d(?:[ -]?\d){2,14}$/, 'must be a phone number or a short code, such as 0800 123 456 or 1737.'),
)

const helplineSchema = v.strictObject({
  name: singleLineText(100),
  numbers: v.pipe(
    v.array(numberSchema),
    v.minLength(1, 'must not be empty.'),
    v.maxLength(20, 'must have 20 entries at most.'),
  ),
})

const helplinesSchema = v.pipe(
  v.array(helplineSchema),
  v.minLength(1, 'must not be empty.'),
  v.maxLength(1_000, 'must have 1,000 entries at most.'),
)

const helplinesByMarketSchema = v.strictObject({ NZ: v.optional(helplinesSchema), AU: v.optional(helplinesSchema) })

/** Parses the numbers of helplines, which never appear in a customer's usage. Reports every fault. `null` if the file is unusable. */
export function parseSensitiveNumbers(file: JsonFile, market: 'NZ' | 'AU'): string[] | null {
  const helplines = parseJsonFile(file, helplinesByMarketSchema)
  if (!helplines) return null
  const list = helplines[market]
  if (!list) file.report(market, 'is missing.')
  return list?.flatMap(({ numbers }) => numbers) ?? null
}
