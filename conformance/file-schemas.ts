import * as v from 'valibot'
import { type ReportFault, singleLineText } from '#kit/server/config/parse-json.ts'

const port = v.pipe(
  v.number(),
  v.integer('must be a whole number.'),
  v.minValue(0, 'must be from 0 to 65535.'),
  v.maxValue(65_535, 'must be from 0 to 65535.'),
)

export const listenAddressFields = {
  host: v.optional(singleLineText(200), '127.0.0.1'),
  port,
  seconds: v.optional(secondsSchema(600), 60),
}
export type ListenAddress = { host: string; port: number; seconds: number }

export function secondsSchema(most: number) {
  return v.pipe(v.number(), v.minValue(0.1, 'must be at least 0.1.'), v.maxValue(most, `must be at most ${most}.`))
}

export const msisdnSchema = v.pipe(
  v.string(),
  v.regex(/^\+[1-9]\d{6,14}$/, 'must be a number with its country code, such as +64211234567.'),
)

export const emailSchema = v.pipe(
  v.string(),
  v.maxLength(254, 'must have at most 254 characters.'),
  v.regex(/^[^\s@<>]+@[^\s@<>]+$/, 'must be an email address.'),
)

export const commonFields = {
  settings: v.record(v.string(), v.pipe(v.string(), v.maxLength(5_000, 'must have at most 5000 characters.'))),
  step_seconds: v.optional(secondsSchema(900), 60),
}

/** Calls `read`, which reads a settings file and reports its faults. Returns `null` if the file is missing or has any fault. */
export function readValidFile<File>(fault: ReportFault, read: (note: ReportFault) => File | null): File | null {
  let isGood = true
  const file = read((line) => {
    isGood = false
    fault(line)
  })
  return isGood ? file : null
}
