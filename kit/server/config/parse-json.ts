import * as v from 'valibot'
import { cleanText, countCharacters } from '#kit/contract/clean-text.ts'
import { openJson, parseJsonFile, type ReportFault } from './json-file.ts'

export type { ReportFault } from './json-file.ts'

/**
 * Parses JSON that may contain secrets, and validates it with a schema.
 * @returns null if the text is invalid; `fault` has then received one line per problem, beginning with the file name
 */
export const parseJson = <Schema extends v.GenericSchema>(
  file: string,
  text: string,
  schema: Schema,
  fault: ReportFault,
): v.InferOutput<Schema> | null => parseJsonFile(openJson(file, text, fault), schema, { hidesValues: true })

const notEmptyMessage = 'must not be empty.'

export const singleLineText = (most: number) =>
  v.pipe(
    v.string(),
    v.transform(cleanText),
    v.nonEmpty(notEmptyMessage),
    v.check(
      (text) => countCharacters(text) <= most,
      ({ input }) => `must have ${most} characters at most, not ${countCharacters(input)}.`,
    ),
    v.regex(/^\P{Cc}*$/u, 'must be one line.'),
    v.regex(/\S/, notEmptyMessage),
    // The database cannot store unpaired surrogates, which JSON escapes can produce. A wrong encoding leaves replacement characters.
    v.check((text) => text.isWellFormed() && !text.includes('\uFFFD'), 'must be text without broken characters.'),
  )
