import { useEffect, useRef, useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { useCookiesNeeded } from '#kit/web/form/cookies-needed.ts'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { TextField } from '#kit/web/form/TextField.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { Link } from '#kit/web/Link.tsx'
import { useRawLocation } from '#kit/web/router/location.ts'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import {
  maxNextPathLength,
  requestPasswordReset,
  resetRequestMessages,
  resetRequestSchema,
} from '../reset-request.contract.ts'
import { AuthFrame } from './AuthFrame.tsx'
import { readRequestedPage, addRequestedPage } from './requested-page.ts'
import * as s from './AuthFrame.module.css'

export default function ForgotPasswordPage() {
  const { search } = useRawLocation()
  const [isRequested, setRequested] = useState(false)
  return (
    <AuthFrame
      title="Forgot Password"
      lead={!isRequested && 'Tell us your email address, and we’ll send you a link to set a new password.'}
      below={
        <Link href={addRequestedPage('/login/', search)} className={s.link}>
          Back to Login
        </Link>
      }
    >
      {isRequested ? (
        <ResetRequested onAgain={() => setRequested(false)} />
      ) : (
        <ResetRequestForm wanted={readRequestedPage(search)} onAsked={() => setRequested(true)} />
      )}
    </AuthFrame>
  )
}

function ResetRequestForm({ wanted, onAsked }: { wanted: string; onAsked: () => void }) {
  const api = useApi()
  const explainMissingCookies = useCookiesNeeded()
  // Ignore a requested page whose path is too long for an emailed link, so that the customer can still reset the password.
  const next = wanted.length > maxNextPathLength ? '' : wanted
  const form = useForm({
    schema: resetRequestSchema,
    initial: { email: '', next },
    draftKey: 'forgot-password',
    draftOmit: ['next'],
    submit: (body) => explainMissingCookies(api.call(requestPasswordReset, { body })),
    onSuccess: onAsked,
  })
  return (
    <form {...form.props}>
      <FormErrors form={form} />
      <TextField
        form={form}
        name="email"
        label="Email"
        type="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="send"
      />
      <SubmitButton form={form} wide pendingText="SENDING LINK">
        SEND LINK
      </SubmitButton>
    </form>
  )
}

function ResetRequested({ onAgain }: { onAgain: () => void }) {
  const messageRef = useRef<HTMLDivElement>(null)
  // The pressed button has disappeared, so move the focus to the message.
  useEffect(() => messageRef.current?.focus(), [])
  return (
    <div className={s.said}>
      <div ref={messageRef} role="status" tabIndex={-1}>
        <Banner kind="good">{resetRequestMessages.requested}</Banner>
      </div>
      <p className="muted small">No email after a few minutes? Check your spam folder and the address you entered.</p>
      <Button kind="quiet" wide onClick={onAgain}>
        Try another address
      </Button>
    </div>
  )
}
