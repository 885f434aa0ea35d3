import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { decimalAmountSchema } from '#kit/contract/schema.ts'
import { confirmationFields } from '#desk/features/staff/confirmation.contract.ts'
import { catalogueReasonFields, checkReasonNote } from '#desk/features/staff/reasons.contract.ts'

export const catalogueMessages = {
  noFile: 'Please choose a catalogue file.',
  tooLarge: 'Catalogue files can be up to 1 MB.',
  changed: 'Someone else has changed, published or deleted this draft. Refresh to see its current state.',
  changedSince: 'The draft was changed after this request. Make a new request.',
  needsApproval: 'This change needs approval. Request it first.',
  needsNoApproval: 'This draft no longer needs approval. You can publish it now.',
  same: 'This draft is the same as the current catalogue and any scheduled version, so there is nothing to publish.',
  notADay: 'Choose a date and time. When clocks change, an hour that is skipped or repeated can’t be chosen.',
  timePassed: 'That time has passed. Choose a later time, or publish now.',
  requestedTimePassed: 'The requested time has passed. Make a new request.',
  notScheduled: 'This version is already on sale or was cancelled.',
  tooMany: 'There are already 20 drafts. Publish or delete some first.',
} as const

/** Maximum length of a catalogue file. The browser checks it in bytes, and the server in characters. */
export const maxFileLength = 1_000_000

const instantSchema = v.string()
const numberParams = v.object({ number: v.pipe(v.string(), v.regex(/^[1-9]\d{0,8}$/)) })
const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, catalogueMessages.changed))
const emptyOutput = v.object({})

const productSchema = v.object({
  unique_id: v.string(),
  title: v.string(),
  kind: v.picklist(['plan', 'add-on']),
  days: v.number(),
  price: decimalAmountSchema(),
  /** The price of an automatic renewal. `null` if it is the same as `price`. */
  price_rebill: v.nullable(decimalAmountSchema()),
  data_gb: v.number(),
  is_hidden: v.boolean(),
  /** Whether customers can buy the product, that is, it is not hidden and has a SKU. */
  is_for_sale: v.boolean(),
})
export type DeskProduct = v.InferOutput<typeof productSchema>

const versionSchema = v.object({
  number: v.number(),
  from: instantSchema,
  made: instantSchema,
  by: v.string(),
  approved_by: v.nullable(v.string()),
  why: v.string(),
  state: v.picklist(['for sale', 'applied', 'to come', 'called off']),
})
export type DeskVersion = v.InferOutput<typeof versionSchema>

const draftRowSchema = v.object({
  number: v.number(),
  source: v.string(),
  by: v.string(),
  made: instantSchema,
})

const renewalCountsSchema = v.object({ renewing: v.number(), told: v.number() })
const changeSchema = v.object({
  /** `renewals` means that the product itself stays the same, but the number of plans that renew onto it changes. */
  kind: v.picklist(['added', 'changed', 'withdrawn', 'returned', 'renewals']),
  unique_id: v.nullable(v.string()),
  title: v.string(),
  fields: v.array(v.object({ field: v.string(), from: v.string(), to: v.string() })),
  /** How many plans renew onto the product automatically, and how many customers have been told its price, before and after the change. */
  before: renewalCountsSchema,
  after: renewalCountsSchema,
})
export type DeskChange = v.InferOutput<typeof changeSchema>

const folderSchema = v.object({
  /** How many changes the catalogue folder would make to the products on sale. `0` if the folder has errors. */
  changes: v.number(),
  faults: v.array(v.string()),
})

export const readCatalogue = endpoint({
  method: 'GET',
  path: '/api/desk/catalogue/',
  summary: 'Returns the current products, all versions and drafts, and the state of the provider’s catalogue folder',
  output: v.object({
    products: v.array(productSchema),
    versions: v.array(versionSchema),
    drafts: v.array(draftRowSchema),
    folder: folderSchema,
  }),
})
export type DeskCatalogue = v.InferOutput<typeof readCatalogue.output>

export const readVersion = endpoint({
  method: 'GET',
  path: '/api/desk/catalogue/versions/:number/',
  summary:
    'Returns a catalogue version and its changes to the version before it, or to the current catalogue if not yet on sale',
  params: numberParams,
  output: v.object({ version: versionSchema, changes: v.array(changeSchema) }),
})
export type VersionPage = v.InferOutput<typeof readVersion.output>

export const readVersionFile = endpoint({
  method: 'GET',
  path: '/api/desk/catalogue/versions/:number/file/',
  summary: 'Returns a catalogue version as a JSON file that can be edited and uploaded again',
  params: numberParams,
  output: v.string(),
})

export const readDraft = endpoint({
  method: 'GET',
  path: '/api/desk/catalogue/drafts/:number/',
  summary: 'Returns a catalogue draft, with the changes it would make and whether it needs approval',
  params: numberParams,
  output: v.object({
    draft: v.object({ ...draftRowSchema.entries, hash: v.string(), published_as: v.nullable(v.number()) }),
    changes: v.array(changeSchema),
    /** Changes that are worse for customers. They require a second person's approval. */
    worse: v.array(v.string()),
    /** Changes that are better for customers but go beyond what one person may decide. They also require a second person's approval. */
    better: v.array(v.string()),
    waiting: v.array(versionSchema),
    /** The start of the next month in the market's time zone, for example `2026-12-01T00:00`. */
    next_month: v.string(),
    asked: v.nullable(
      v.object({ by: v.string(), from: v.nullable(instantSchema), left_seconds: v.number(), is_stale: v.boolean() }),
    ),
    deciders: v.array(v.string()),
  }),
})
export type DraftPage = v.InferOutput<typeof readDraft.output>

const fileName = v.pipe(
  v.string(),
  v.transform((typed) => typed.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ').trim()),
  v.maxLength(200, 'A file name can have at most 200 characters.'),
)
const file = {
  name: fileName,
  text: v.pipe(
    v.string(),
    v.nonEmpty(catalogueMessages.noFile),
    v.maxLength(maxFileLength, catalogueMessages.tooLarge),
  ),
}
/** A catalogue file grows when it is sent as JSON, because each quotation mark and line break then takes two bytes. */
const maxBytes = 2_200_000

export const createDraft = endpoint({
  method: 'POST',
  path: '/api/desk/catalogue/drafts/',
  summary: 'Saves a catalogue file as a draft, or lists the file’s faults if it has any',
  body: v.object(file),
  maxBytes,
  tooLarge: catalogueMessages.tooLarge,
  output: v.object({ number: v.number() }),
})

export const createDraftFromFolder = endpoint({
  method: 'POST',
  path: '/api/desk/catalogue/drafts/folder/',
  summary: 'Saves the contents of the provider’s catalogue folder as a draft',
  output: v.object({ number: v.number() }),
})

export const replaceDraft = endpoint({
  method: 'POST',
  path: '/api/desk/catalogue/drafts/:number/replace/',
  summary: 'Replaces a draft’s catalogue file',
  params: numberParams,
  body: v.object({ hash, ...file }),
  maxBytes,
  tooLarge: catalogueMessages.tooLarge,
  output: emptyOutput,
})

export const dropDraft = endpoint({
  method: 'POST',
  path: '/api/desk/catalogue/drafts/:number/drop/',
  summary: 'Deletes a catalogue draft',
  params: numberParams,
  body: v.object({ hash }),
  output: emptyOutput,
})

const publicationFields = {
  hash,
  when: v.picklist(['now', 'then']),
  /** When a scheduled version goes on sale: date and time to the minute, in the market's time zone. */
  at: v.optional(v.pipe(v.string(), v.maxLength(16, catalogueMessages.notADay)), ''),
  ...catalogueReasonFields(),
}
export const publishDraftBody = v.pipe(v.object(publicationFields), checkReasonNote())
const confirmedPublicationBody = v.pipe(v.object({ ...publicationFields, ...confirmationFields() }), checkReasonNote())

export const publicationActionName = (
  how: 'publish' | 'ask',
  { number, hash, when, at }: { number: number; hash: string; when: string; at: string },
): string => `${how} catalogue draft ${number} ${hash} ${when === 'now' ? 'now' : at}`

const publishedVersionSchema = v.object({ version: v.number() })

export const publishDraft = endpoint({
  method: 'POST',
  path: '/api/desk/catalogue/drafts/:number/publish/',
  summary: 'Publishes a catalogue draft that needs no approval, now or at a later time',
  params: numberParams,
  body: confirmedPublicationBody,
  output: publishedVersionSchema,
})

export const requestPublication = endpoint({
  method: 'POST',
  path: '/api/desk/catalogue/drafts/:number/ask/',
  summary: 'Requests approval to publish a catalogue draft',
  params: numberParams,
  body: confirmedPublicationBody,
  output: v.object({ id: v.string(), lapses: instantSchema }),
})

export const cancelVersionBody = v.pipe(v.object(catalogueReasonFields()), checkReasonNote())

export const cancelVersion = endpoint({
  method: 'POST',
  path: '/api/desk/catalogue/versions/:number/call-off/',
  summary: 'Cancels a scheduled catalogue version',
  params: numberParams,
  body: cancelVersionBody,
  output: emptyOutput,
})
