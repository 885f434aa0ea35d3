import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { messageMaxLength } from './scrub.contract.ts'

/** What brought it to light: an uncaught error, a promise's, a part that could not render, an answer of 5xx. */
const reportKinds = ['error', 'rejection', 'render', 'call'] as const
export type ReportKind = (typeof reportKinds)[number]

/** The most frames that a report carries; the innermost ones. */
export const mostFrames = 20

/** A page of an unknown pattern. */
export const unknownPage = '(other)'

/** What the pattern of a page looks like, `/services/:uuid/`: an id, a code or an address is no part of one. */
export const isPagePattern = /^\/(?:(?::[A-Za-z]+\d{0,2}|[A-Za-z][A-Za-z-]*)\/){0,8}(?::[A-Za-z]+\d{0,2})?$/

/** What a browser tells of an unexpected error. Shapes that leave no room: neither a URL nor what was typed fits in. */
export const reportSchema = v.object({
  kind: v.picklist(reportKinds),
  /** `TypeError`. */
  name: v.pipe(v.string(), v.regex(/^[A-Za-z_]{1,60}$/)),
  message: v.pipe(v.string(), v.maxLength(messageMaxLength)),
  /** `/static/build/<file>:line:column`, of the desk `/desk/build/…`, innermost first. */
  frames: v.pipe(
    v.array(v.pipe(v.string(), v.regex(/^\/(?:static|desk)\/build\/[\w@./-]{1,120}:\d{1,7}:\d{1,7}$/))),
    v.maxLength(mostFrames),
  ),
  /** The page's pattern, such as `/services/:uuid/`, never its path. */
  page: v.union([v.literal(unknownPage), v.pipe(v.string(), v.regex(isPagePattern), v.maxLength(100))]),
  /** What the server called the request whose answer was 5xx. */
  request_id: v.nullable(v.pipe(v.string(), v.uuid())),
  /** The file that the portal began with. */
  build: v.pipe(v.string(), v.regex(/^[\w.-]{1,60}$/)),
  /** `Firefox 140`: whose, and the version's first number. */
  browser: v.pipe(v.string(), v.regex(/^(?:Chrome|Edge|Firefox|Safari) \d{1,3}$|^other$/)),
})
export type Report = v.InferOutput<typeof reportSchema>

/** Apart, so that a page that sends a report does not load the schema. */
export const reportPath = '/api/errors/'

export const sendReport = endpoint({
  method: 'POST',
  path: reportPath,
  summary: 'Tells of an unexpected error in the browser',
  body: reportSchema,
  output: v.object({}),
  maxBytes: 8 * 1024,
})
