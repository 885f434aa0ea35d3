import type { Answer } from '#kit/contract/endpoint.ts'
import { useApi } from '#kit/web/api.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { PasswordField } from '#kit/web/form/PasswordField.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { Link } from '#kit/web/Link.tsx'
import type { PageProps } from '#kit/web/page.ts'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import { resetPassword, resetPasswordSchema } from '../password-reset.contract.ts'
import { DoorFrame } from './DoorFrame.tsx'
import { setSignedIn } from './signed-in.ts'
import s from './DoorFrame.module.css'

/** Where the link of a mail leads. It stays in the address bar, so that a reload does no harm, until the guard leads on. */
export default function PasswordResetPage({ params }: PageProps) {
  const api = useApi()
  const client = useQueryClient()
  const link = { uid: params['uid64'] ?? '', token: params['token'] ?? '' }
  const form = useForm({
    schema: resetPasswordSchema,
    initial: { password: '', password_confirm: '' },
    submit: (body) => api.call(resetPassword, { params: link, body }),
    onSuccess: (answer) => setSignedIn(client, (answer as Answer<typeof resetPassword>).data),
  })
  return (
    <DoorFrame
      title="Set a New Password"
      lead="You’ll be logged in here, and logged out everywhere else."
      below={<Link href="/login/" className={s.link}>Back to Login</Link>}
    >
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
        <SubmitButton form={form} wide pendingText="SETTING PASSWORD">SET PASSWORD</SubmitButton>
      </form>
    </DoorFrame>
  )
}
