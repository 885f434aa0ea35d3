import { useState } from 'react'
import { flushSync } from 'react-dom'
import { toFormErrors } from '#kit/contract/errors.ts'
import { toPortalPath } from '#kit/contract/portal-path.ts'
import { useApi } from '#kit/web/api.tsx'
import { useCookiesNeeded } from '#kit/web/form/cookies-needed.ts'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { PasswordField } from '#kit/web/form/PasswordField.tsx'
import { PinInput } from '#kit/web/form/PinInput.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { Link } from '#kit/web/Link.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import type { PageProps } from '#kit/web/page.ts'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import { useNavigate, useRawLocation } from '#kit/web/router/location.ts'
import type { Account } from '../auth.contract.ts'
import {
  isTokenText,
  resetMessages,
  resetPassword,
  resetPasswordSchema,
  resetPinLength,
} from '../password-reset.contract.ts'
import { AuthFrame } from './AuthFrame.tsx'
import { setSignedIn } from './set-signed-in.ts'
import { readRequestedPage, addRequestedPage } from './requested-page.ts'
import * as s from './AuthFrame.module.css'

/** The page that a reset link opens. The token stays in the URL until it has been used, so the page can be reloaded. */
export default function PasswordResetPage({ params }: PageProps) {
  const { search } = useRawLocation()
  const link = { uid: params['uid64'] ?? '', token: params['token'] ?? '' }
  return (
    <AuthFrame
      title="Set a New Password"
      lead="You’ll be logged in here, and logged out everywhere else."
      below={
        <Link href={addRequestedPage('/login/', search)} className={s.link}>
          Back to Login
        </Link>
      }
    >
      {isTokenText(link.token) ? <ResetForm link={link} /> : <DamagedLink search={search} />}
    </AuthFrame>
  )
}

function DamagedLink({ search }: { search: string }) {
  return (
    <Banner kind="bad">
      <p>{resetMessages.extraCharacters}</p>
      <p>
        <Link href={addRequestedPage('/forgot-password/', search)}>{resetMessages.askAgain}</Link>
      </p>
    </Banner>
  )
}

function ResetForm({ link }: { link: { uid: string; token: string } }) {
  const api = useApi()
  const { search } = useRawLocation()
  const explainMissingCookies = useCookiesNeeded()
  const continueToPage = useContinueToPage(readRequestedPage(search))
  const [requiresPin, setRequiresPin] = useState(false)
  const form = useForm({
    schema: resetPasswordSchema,
    initial: { password: '', password_confirm: '', pin: '' },
    submit: (body) => explainMissingCookies(api.call(resetPassword, { params: link, body })).catch(showPin),
    onSuccess: ({ data }) => continueToPage(data),
  })

  /** Shows the PIN field before the form handles the error, so that the form can put the error next to it. */
  function showPin(failure: unknown): never {
    if (toFormErrors(failure)['pin']) flushSync(() => setRequiresPin(true))
    throw failure
  }

  return (
    <form {...form.props}>
      <FormErrors form={form} />
      <PasswordField
        form={form}
        name="password"
        label="New password"
        autoComplete="new-password"
        hint="At least 6 characters with at least one letter, and not containing your name or email address."
      />
      <PasswordField form={form} name="password_confirm" label="Confirm new password" autoComplete="new-password" />
      {requiresPin && (
        <PinInput
          form={form}
          name="pin"
          label="One-Time PIN"
          length={resetPinLength}
          autoComplete="one-time-code"
          hint="Leave this field empty to get a new PIN."
        />
      )}
      <SubmitButton form={form} wide pendingText="SETTING PASSWORD">
        SET PASSWORD
      </SubmitButton>
    </form>
  )
}

/**
 * Opens the requested page before storing the account. In the other order, the guard would report that the customer was already signed in
 * and that the link had not been used.
 */
function useContinueToPage(requestedPage: string): (account: Account) => void {
  const client = useQueryClient()
  const navigate = useNavigate()
  return (account) => {
    navigate(toPortalPath(requestedPage), { replace: true })
    setSignedIn(client, account)
  }
}
