import * as v from 'valibot'
import { formMessages } from '#kit/contract/errors.ts'
import { useApi } from '#kit/web/api.tsx'
import { FormActions } from '#kit/web/form/FormActions.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { TextField } from '#kit/web/form/TextField.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { Link } from '#kit/web/Link.tsx'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import { useNavigate } from '#kit/web/router/location.ts'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import type { User } from '#features/auth/auth.contract.ts'
import { useUser } from '#features/auth/web/use-user.ts'
import { contactDetailsSchema, detailsMessages, updateDetails } from '../contact-details.contract.ts'
import { AccountFrame } from './AccountFrame.tsx'
import {
  type PasswordConfirmation,
  PasswordConfirmationField,
  usePasswordConfirmation,
  omitEmptyPassword,
} from './PasswordConfirmation.tsx'
import { PendingPhone } from './PendingPhone.tsx'
import { type NumberOptions, PhoneField, useNumberOptions } from './PhoneField.tsx'
import { setSavedUser } from './set-user.ts'
import * as s from './account.module.css'

const phoneConfirmPath = '/account/contact-details/phone-confirm/'

export default function ContactDetailsPage() {
  const user = useUser()
  return (
    <AccountFrame title="Contact Details">
      {user ? (
        <ContactDetails user={user} />
      ) : (
        <Card>
          <Skeleton lines={9} />
        </Card>
      )}
    </AccountFrame>
  )
}

function ContactDetails({ user }: { user: User }) {
  const numberOptions = useNumberOptions()
  const passwordConfirmation = usePasswordConfirmation()
  const form = useDetailsForm(user, numberOptions, passwordConfirmation)
  return (
    <>
      <PendingPhone user={user} />
      <Card>
        <form {...form.props}>
          <FormErrors form={form} />
          <div className={s.withLink}>
            <TextField
              form={form}
              name="email"
              label="Email"
              type="email"
              autoComplete="email"
              autoCapitalize="none"
              spellCheck={false}
              readOnly
              optional
            />
            <Link className={s.link} href="/account/contact-details/change-email/">
              Change email
            </Link>
          </div>
          <TextField form={form} name="first_name" label="First name" autoComplete="given-name" />
          <TextField
            form={form}
            name="last_name"
            label="Last name"
            autoComplete="family-name"
            optional
            hint="Optional"
          />
          <PhoneField form={form} user={user} numbers={numberOptions} />
          <PasswordConfirmationField form={form} again={passwordConfirmation} email={user.email} />
          <div role="status">{form.status === 'success' && <Banner kind="good">{detailsMessages.saved}</Banner>}</div>
          <FormActions>
            <SubmitButton form={form} pendingText="SAVING">
              SAVE
            </SubmitButton>
          </FormActions>
        </form>
      </Card>
    </>
  )
}

function useDetailsForm(user: User, numbers: NumberOptions, passwordConfirmation: PasswordConfirmation) {
  const api = useApi()
  const client = useQueryClient()
  const navigate = useNavigate()
  return useForm({
    schema: createDetailsSchema(numbers.options),
    initial: {
      first_name: user.first_name,
      last_name: user.last_name,
      phone: user.phone ?? '',
      email: user.email,
      password: '',
    },
    draftKey: 'contact-details',
    draftOmit: ['email', 'password'],
    onceOnly: ['password'],
    submit(values) {
      /*
       * A customer without services cannot choose a contact phone, and the stored one may be a released number. Sending an
       * empty value clears it.
       */
      const body = omitEmptyPassword(numbers.options?.length === 0 ? { ...values, phone: '' } : values)
      return passwordConfirmation.track(api.call(updateDetails, { body }))
    },
    onSuccess({ data: { user: now } }) {
      passwordConfirmation.clear()
      setSavedUser(client, now)
      if (now.email_verification) navigate(phoneConfirmPath)
    },
  })
}

function createDetailsSchema(options: NumberOptions['options']) {
  if (!options?.length) return contactDetailsSchema
  const phone = v.pipe(
    v.string(),
    v.check((chosen) => options.some(({ value }) => value === chosen), formMessages.required),
  )
  return v.object({ ...contactDetailsSchema.entries, phone })
}
