import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { maxPasswordLength } from '#kit/contract/password.ts'
import { requiredSecret } from '#kit/contract/schema.ts'
import { passwordConfirmationMessages } from '#features/auth/password-confirmation.contract.ts'

export const privacyMessages = {
  format: 'Please choose a format.',
  downloading: 'Your download has started.',
  calledOff: 'We’ve kept your account. Nothing will be deleted.',
  linkInvalid: 'This link doesn’t work. The account may already have been deleted, or part of the link may be missing.',
  nothingWaits: 'Your data isn’t due to be deleted, so there’s nothing to cancel.',
  choice: 'Please choose yes or no.',
  saved: 'Your choice is saved.',
} as const

/** Validates the current password. These requests always require it, because anyone could be using an open session. */
export const ownPasswordSchema = () =>
  v.pipe(requiredSecret(passwordConfirmationMessages.needed), maxPasswordLength(passwordConfirmationMessages.wrong))

export const dataExportFormats = ['html', 'json'] as const
export type DataExportFormat = (typeof dataExportFormats)[number]

export const dataRequestSchema = v.object({
  password: ownPasswordSchema(),
  format: v.optional(v.picklist(dataExportFormats, privacyMessages.format), 'html'),
})

export const requestData = endpoint({
  method: 'POST',
  path: '/api/account/privacy/data/',
  summary:
    'Checks the password and returns a link, valid for two minutes, to download all data held about the customer',
  body: dataRequestSchema,
  output: v.object({ url: v.string() }),
})

/**
 * The law in each country that requires a provider to keep tax invoices and credit notes, even after an erasure, and the
 * number of years to keep them.
 */
export const legalRetention = {
  NZ: { law: 'the Tax Administration Act 1994', years: 7 },
  AU: { law: 'the Corporations Act 2001', years: 7 },
} as const

const lostNumberSchema = v.object({
  number: v.string(),
  plan: v.nullable(v.string()),
  ends: v.nullable(v.string()),
  next_plan: v.nullable(v.string()),
  auto_renewal: v.boolean(),
})

const erasureSchema = v.object({
  /** The pending erasure request. `is_put_off` means that an obstacle has postponed the erasure. */
  waiting: v.nullable(v.object({ due: v.string(), is_put_off: v.boolean() })),
  in_the_way: v.array(v.string()),
  lost: v.array(lostNumberSchema),
})
export type ErasureView = v.InferOutput<typeof erasureSchema>

export const readErasure = endpoint({
  method: 'GET',
  path: '/api/account/privacy/erasure/',
  summary: 'Shows any pending deletion of the customer’s data, what would be lost, and what prevents a deletion now',
  output: erasureSchema,
})

export const erasureRequestSchema = v.object({ password: ownPasswordSchema() })

export const requestErasure = endpoint({
  method: 'POST',
  path: '/api/account/privacy/erasure/',
  summary: 'Requests the deletion of the customer’s data in one day; a repeated request has no further effect',
  body: erasureRequestSchema,
  output: erasureSchema,
})

export const cancelErasure = endpoint({
  method: 'DELETE',
  path: '/api/account/privacy/erasure/',
  summary: 'Cancels the customer’s pending deletion',
  output: erasureSchema,
})

export const keepAccount = endpoint({
  method: 'POST',
  path: '/api/account/privacy/keep/',
  summary: 'Cancels a pending deletion with the link from an email about the deletion; no login is needed',
  body: v.object({
    token: v.pipe(v.optional(v.string(privacyMessages.linkInvalid), ''), v.maxLength(100, privacyMessages.linkInvalid)),
  }),
  output: v.object({ message: v.string() }),
})

export const marketingSchema = v.object({
  agreed: v.boolean(privacyMessages.choice),
})

const marketingViewSchema = v.object({
  ...marketingSchema.entries,
  words: v.string(),
})
export type MarketingView = v.InferOutput<typeof marketingViewSchema>

export const readMarketing = endpoint({
  method: 'GET',
  path: '/api/account/privacy/marketing/',
  summary: 'Shows whether the customer agreed to emails about plans and offers',
  output: marketingViewSchema,
})

export const saveMarketingChoice = endpoint({
  method: 'POST',
  path: '/api/account/privacy/marketing/',
  summary: 'Saves whether the customer agrees to emails about plans and offers',
  body: marketingSchema,
  output: marketingViewSchema,
})
