import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { messageMaxLength } from './scrub.contract.ts'

/** What caused the report: an uncaught error, an unhandled promise rejection, a rendering failure, or an unexpected error response. */
const reportKinds = ['error', 'rejection', 'render', 'call'] as const
export type ReportKind = (typeof reportKinds)[number]

/** Maximum stack frames per error report. The innermost frames are kept. */
export const maxFrames = 20

export const unknownPage = '(other)'

export const pagePatternRegex = /^\/(?:(?::[A-Za-z]+\d{0,2}|[A-Za-z][A-Za-z-]*)\/){0,8}(?::[A-Za-z]+\d{0,2})?$/

/** Every field has a strict format, so that no field can hold a URL or text that the customer typed. */
export const reportSchema = v.object({
  kind: v.picklist(reportKinds),
  name: v.pipe(v.string(), v.regex(/^[A-Za-z_]{1,60}$/)),
  message: v.pipe(v.string(), v.maxLength(messageMaxLength)),
  /** Stack frames, innermost first, such as `/static/build/<file>:line:column`; frames in the desk's files start with `/desk/build/`. */
  frames: v.pipe(
    v.array(v.pipe(v.string(), v.regex(/^\/(?:static|desk)\/build\/[\w@./-]{1,120}:\d{1,7}:\d{1,7}$/))),
    v.maxLength(maxFrames),
  ),
  /** The page's route pattern, such as `/services/:uuid/`, but never the actual path. */
  page: v.union([v.literal(unknownPage), v.pipe(v.string(), v.regex(pagePatternRegex), v.maxLength(100))]),
  request_id: v.nullable(v.pipe(v.string(), v.uuid())),
  /** The file name of the page's entry script, which identifies the build. */
  build: v.pipe(v.string(), v.regex(/^[\w.-]{1,60}$/)),
  browser: v.pipe(v.string(), v.regex(/^(?:Chrome|Edge|Firefox|Safari) \d{1,3}$|^other$/)),
})
export type Report = v.InferOutput<typeof reportSchema>

/** The path is exported separately, so that pages can report errors without loading the whole schema. */
export const reportPath = '/api/errors/'

export const sendReport = endpoint({
  method: 'POST',
  path: reportPath,
  summary: 'Reports an unexpected error in the browser',
  body: reportSchema,
  output: v.object({}),
  maxBytes: 8 * 1024,
})
