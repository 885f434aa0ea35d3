import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { createForEachRegion, parseDomesticMobile, phoneMaxLength, type Region } from '#kit/contract/phone.ts'
import { createFieldIssue, optionalCode, requiredCode, requiredText } from '#kit/contract/schema.ts'

export const portingMessages = {
  choice:
    'Please choose whether you would like to Transfer (Port) your Existing Phone Number or use the Phone Number on the SIM pack.',
  number: 'Please enter a valid mobile Phone Number.',
  ownNumber: 'This is the Phone Number on the SIM pack. Please enter the Existing Phone Number you want to bring.',
  /**
   * The number is on one of our services or SIM packs, or someone else is transferring it to us. The message
   * deliberately does not say which.
   */
  taken: 'This Phone Number is already with us or being transferred to us. Please check the number.',
  provider: 'Please choose your current provider from the list.',
  billingMethod:
    'You must provide an Existing Prepay SIM Number or an Existing Account Number to Transfer (Port) the Phone Number you want to bring.',
  sim: 'Please provide an Existing Prepay SIM Number to Transfer (Port) the Number you want to bring.',
  simLength: 'Please enter a valid Prepay SIM Number between 16 and 20 digits.',
  account: 'Please provide an Existing Account Number to Transfer (Port) the Phone Number you want to bring.',
  accountLength: 'Please enter a valid Existing Account Number up to 20 digits.',
} as const

/** Where a phone shows the number of an eSIM, which it calls ICCID. */
export const esimNumberSettings = {
  iPhone: 'Settings, General, About',
  android: 'Settings, About phone, SIM status',
} as const

export const esimNumberSentence =
  `For an eSIM, it’s the ICCID in the phone’s settings: ${esimNumberSettings.iPhone} on an iPhone, ` +
  `or ${esimNumberSettings.android} on Android.`

export const phoneCharacters = /[\d+ ()-]/

export const billingMethods = { prepay: 1, account: 2 } as const
export type BillingMethod = keyof typeof billingMethods

const billingMethodSchema = v.pipe(
  v.optional(v.unknown(), null),
  v.picklist(['prepay', 'account', '1', '2', 1, 2], portingMessages.billingMethod),
  v.transform((value): BillingMethod =>
    value === 'prepay' || Number(value) === billingMethods.prepay ? 'prepay' : 'account',
  ),
)

const phoneCharactersPattern = /^[\d+ ()-]*$/
const existingNumberSchema = (region: Region) =>
  v.pipe(
    requiredCode(),
    v.maxLength(phoneMaxLength, portingMessages.number),
    v.check(
      (value) => value === '' || (phoneCharactersPattern.test(value) && parseDomesticMobile(value, region) !== null),
      portingMessages.number,
    ),
  )

type OwnershipProofFields = { billing_method?: unknown; prepaid_sim_number?: unknown; account_number?: unknown }

export const portingFields = (region: Region) => ({
  msisdn: existingNumberSchema(region),
  provider: v.pipe(requiredText(), v.maxLength(100, portingMessages.provider)),
  billing_method: billingMethodSchema,
  prepaid_sim_number: optionalCode(portingMessages.simLength),
  account_number: optionalCode(portingMessages.accountLength),
})

export const requireOwnershipProof = <Form extends OwnershipProofFields>() =>
  v.rawCheck<Form>(({ dataset, addIssue }) => {
    // This check runs even if other fields are invalid. It skips non-strings, which already have an error.
    const form = dataset.value as OwnershipProofFields
    const addFieldIssue = (field: keyof OwnershipProofFields, message: string) =>
      addIssue(createFieldIssue(form, field, message))
    if (form.billing_method === 'prepay' && typeof form.prepaid_sim_number === 'string') {
      if (!form.prepaid_sim_number) addFieldIssue('prepaid_sim_number', portingMessages.sim)
      else if (!/^\d{16,20}$/.test(form.prepaid_sim_number))
        addFieldIssue('prepaid_sim_number', portingMessages.simLength)
    }
    if (form.billing_method === 'account' && typeof form.account_number === 'string') {
      if (!form.account_number) addFieldIssue('account_number', portingMessages.account)
      else if (!/^[a-z0-9]{1,20}$/i.test(form.account_number))
        addFieldIssue('account_number', portingMessages.accountLength)
    }
  })

export const portingFormSchemas = createForEachRegion((region) =>
  v.pipe(v.object(portingFields(region)), requireOwnershipProof()),
)
export type PortingForm = v.InferOutput<typeof portingFormSchemas.NZ>

const donorSchema = v.object({ id: v.string(), name: v.string() })
export type Donor = v.InferOutput<typeof donorSchema>

export const listPortingProviders = endpoint({
  method: 'GET',
  path: '/api/account/porting_providers/',
  summary: 'Lists the providers that numbers can be transferred from',
  output: v.object({
    providers: v.array(donorSchema),
    /** When providers will start to process a request sent now, as an ISO 8601 instant; `null` means immediately. */
    looked_at_from: v.nullable(v.string()),
  }),
})
