import { useEffect, useRef, useState } from 'react'
import { emailMaxLength } from '#kit/contract/schema.ts'
import { useApi } from '#kit/web/api.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { TextField } from '#kit/web/form/TextField.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { Link } from '#kit/web/Link.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { requestPasswordReset, resetMessages, resetRequestSchema } from '../password-reset.contract.ts'
import { AuthFrame } from './AuthFrame.tsx'
import s from './AuthFrame.module.css'

export default function ForgotPasswordPage() {
  const [asked, setAsked] = useState(false)
  return (
    <AuthFrame
      title="Forgot Password"
      lead={!asked && 'Tell us your email address, and we’ll send you a link to set a new password.'}
      below={
        <Link href="/login/" className={s.link}>
          Back to Login
        </Link>
      }
    >
      {asked ? <Asked onAgain={() => setAsked(false)} /> : <AskForm onAsked={() => setAsked(true)} />}
    </AuthFrame>
  )
}

function AskForm({ onAsked }: { onAsked: () => void }) {
  const api = useApi()
  const form = useForm({
    schema: resetRequestSchema,
    initial: { email: '' },
    draftKey: 'forgot-password',
    submit: (body) => api.call(requestPasswordReset, { body }),
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
        maxLength={emailMaxLength}
      />
      <SubmitButton form={form} wide pendingText="SENDING LINK">
        SEND LINK
      </SubmitButton>
    </form>
  )
}

/** The same words whether or not the address has an account. */
function Asked({ onAgain }: { onAgain: () => void }) {
  const words = useRef<HTMLDivElement>(null)
  // The button that was pressed is gone, and the reader with it.
  useEffect(() => words.current?.focus(), [])
  return (
    <div className={s.said}>
      <div ref={words} role="status" tabIndex={-1}>
        <Banner kind="good">{resetMessages.requested}</Banner>
      </div>
      <p className="muted small">
        Nothing there after a few minutes? Have a look in your spam folder, or check the address.
      </p>
      <Button kind="quiet" wide onClick={onAgain}>
        Try another address
      </Button>
    </div>
  )
}
