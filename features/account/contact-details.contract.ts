import * as v from 'valibot'
import { endpoint, type EndpointOutput } from '#kit/contract/endpoint.ts'
import { firstNameMaxLength, lastNameMaxLength, validNameCharacters } from '#kit/contract/names.ts'
import { phoneMaxLength } from '#kit/contract/phone.ts'
import { emailMaxLength } from '#kit/contract/email.ts'
import { maxCharacters, optionalCode, optionalText, requiredText } from '#kit/contract/schema.ts'
import { phoneSchema, userSchema } from '#features/auth/auth.contract.ts'
import { passwordConfirmationField } from '#features/auth/password-confirmation.contract.ts'
import { linkTokenSchema } from '#features/auth/verify.contract.ts'

export const detailsMessages = {
  firstNameLong: 'Your first name can be up to 30 characters.',
  lastNameLong: 'Your last name can be up to 150 characters.',
  name: 'Please use letters and spaces only.',
  phone: 'Please choose one of your phone numbers.',
  emailLong: 'Your email address can be up to 254 characters.',
  saved: 'Thank you, we’ve updated your details.',
  phoneDone: 'Thank you, your contact phone number is confirmed.',
  phoneInvalid: 'This link is no longer valid. It may have been used already, or have expired.',
  nothingPending: 'There is no phone number to confirm.',
} as const

export const contactDetailsSchema = v.object({
  first_name: v.pipe(
    requiredText(),
    maxCharacters(firstNameMaxLength, detailsMessages.firstNameLong),
    validNameCharacters(detailsMessages.name),
  ),
  last_name: v.pipe(
    optionalText(),
    maxCharacters(lastNameMaxLength, detailsMessages.lastNameLong),
    validNameCharacters(detailsMessages.name),
  ),
  /** The MSISDN of one of the customer's services. An empty string is valid only for a customer without services. */
  phone: v.pipe(optionalCode(detailsMessages.phone), v.maxLength(phoneMaxLength, detailsMessages.phone)),
  /** The server ignores this email address, because customers change it on a separate page. */
  email: v.pipe(optionalCode(), v.maxLength(emailMaxLength, detailsMessages.emailLong)),
  /**
   * The current password. Required when the contact phone changes and the password was last entered in this session more than a day ago.
   */
  password: passwordConfirmationField(),
})

export const updateDetails = endpoint({
  method: 'POST',
  path: '/api/account/update_details/',
  summary: 'Changes the names at once; a new contact phone is `email_verification` until its emailed link is followed',
  body: contactDetailsSchema,
  // The schema stands here because the build removes `output` from the browser's code.
  output: v.object({ user: v.object({ ...userSchema.entries, email_verification: v.optional(phoneSchema) }) }),
})
/** The account after a save. `email_verification` is present only if this save requested a new contact phone (spec 7). */
export type SavedUser = EndpointOutput<typeof updateDetails>['user']

export const confirmPhone = endpoint({
  method: 'POST',
  path: '/api/account/confirm_phone/',
  summary: 'Confirms a new contact phone with the token from the emailed link',
  body: linkTokenSchema(detailsMessages.phoneInvalid),
  output: v.object({ user: userSchema }),
})

export const resendPhoneConfirmation = endpoint({
  method: 'POST',
  path: '/api/account/confirm_phone/resend/',
  summary: 'Resends the email that confirms a new contact phone',
  output: v.object({ message: v.string() }),
})

export const cancelPhoneChange = endpoint({
  method: 'POST',
  path: '/api/account/confirm_phone/cancel/',
  summary: 'Cancels the pending change of the contact phone and its link; 409 when none is pending',
  output: v.object({ user: userSchema }),
})
