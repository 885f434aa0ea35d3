import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { simLoadStates } from '#features/stock/sim-loads.states.ts'

/** Maximum size of an upload in bytes. Larger files have to be loaded with the command line. */
export const maxSimLoadBytes = 20 * 1024 * 1024
export const maxSimLoadLines = 200_000

export const simLoadMessages = {
  noFile: 'Please choose a CSV file of SIM packs.',
  tooLarge: 'Files can be up to 20 MB. Split the file, or load it with the command line.',
  late: 'Someone else already made a decision on this file, or its load was stopped. Refresh to see it.',
  known: 'The same file is already loaded or being loaded.',
} as const

export const simLoadSchema = v.object({
  id: v.string(),
  file_name: v.nullable(v.string()),
  by: v.string(),
  created: v.string(),
  ended: v.nullable(v.string()),
  state: v.picklist(simLoadStates),
  lines: v.number(),
  done: v.number(),
  good: v.number(),
  bad: v.number(),
  loaded: v.number(),
  left: v.number(),
  age_seconds: v.number(),
})
export type Load = v.InferOutput<typeof simLoadSchema>

const markedFieldSchema = v.nullable(
  v.object({ text: v.string(), mark: v.nullable(v.object({ start: v.number(), length: v.number() })) }),
)
export type MarkedField = v.InferOutput<typeof markedFieldSchema>

const badLineSchema = v.object({
  line: v.number(),
  iccid: markedFieldSchema,
  number: markedFieldSchema,
  why: v.string(),
})
export type BadLine = v.InferOutput<typeof badLineSchema>

const simLoadId = v.pipe(v.string(), v.regex(/^[0-9A-Z]{8}$/))
const params = v.object({ id: simLoadId })

export const uploadSimLoad = endpoint({
  method: 'POST',
  path: '/api/desk/stock/loads/',
  summary: 'Uploads a CSV file of SIM packs and starts to check it. Nothing is loaded until a person confirms it',
  query: v.object({ name: v.optional(v.pipe(v.string(), v.maxLength(120)), '') }),
  /** `known` means that the same file has been uploaded before. */
  output: v.object({ id: v.string(), known: v.boolean() }),
  maxBytes: maxSimLoadBytes,
  tooLarge: simLoadMessages.tooLarge,
})

export const readSimLoad = endpoint({
  method: 'GET',
  path: '/api/desk/stock/loads/:id/',
  summary: 'Returns a load’s progress and its bad lines, optionally of one kind only or after a given line only',
  params,
  query: v.object({
    kind: v.optional(v.pipe(v.string(), v.maxLength(20))),
    after: v.optional(v.pipe(v.string(), v.regex(/^\d{1,7}$/))),
  }),
  output: v.object({
    load: simLoadSchema,
    kinds: v.array(v.object({ kind: v.string(), title: v.string(), lines: v.number() })),
    bad: v.array(badLineSchema),
    /** Number of the last line on this page; `null` if there are no more lines. */
    next: v.nullable(v.string()),
  }),
})
export type SimLoadPage = v.InferOutput<typeof readSimLoad.output>

export const downloadBadLines = endpoint({
  method: 'GET',
  path: '/api/desk/stock/loads/:id/bad-lines/',
  summary: 'Returns a load’s bad lines as a CSV file',
  params,
  output: v.unknown(),
})

export const decideSimLoad = endpoint({
  method: 'POST',
  path: '/api/desk/stock/loads/:id/decide/',
  summary: 'Loads the good lines of a checked file, or declines the file',
  params,
  body: v.object({ decision: v.picklist(['good', 'none']) }),
  output: v.object({}),
})
