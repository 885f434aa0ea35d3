import { useApi } from '#kit/web/api.tsx'
import { FormActions } from '#kit/web/form/FormActions.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { PasswordField } from '#kit/web/form/PasswordField.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { useUser } from '#features/auth/web/use-user.ts'
import { changePassword, changePasswordMessages, changePasswordSchema } from '../change-password.contract.ts'
import { AccountFrame } from './AccountFrame.tsx'
import { EmailResetLink } from './EmailResetLink.tsx'

export default function ChangePasswordPage() {
  const api = useApi()
  const user = useUser()
  const form = useForm({
    schema: changePasswordSchema,
    initial: { old_password: '', new_password: '', password_confirm: '' },
    submit: (body) => api.call(changePassword, { body }),
    onSuccess: (): void => form.reset(),
  })
  return (
    <AccountFrame title="Change Password">
      <Card>
        <form {...form.props}>
          <FormErrors form={form} />
          {/* Tells a password manager which account the password belongs to. */}
          <input type="text" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
          <PasswordField form={form} name="old_password" label="Current password" />
          <PasswordField
            form={form}
            name="new_password"
            label="New password"
            autoComplete="new-password"
            hint={changePasswordMessages.help}
          />
          <PasswordField
            form={form}
            name="password_confirm"
            label="Confirm new password"
            autoComplete="new-password"
            hint="This logs you out everywhere else."
          />
          <div role="status">
            {form.status === 'success' && (
              <Banner kind="good" title={changePasswordMessages.done}>
                You’ve been logged out everywhere else.
              </Banner>
            )}
          </div>
          <FormActions>
            <SubmitButton form={form} pendingText="CHANGING PASSWORD">
              CHANGE PASSWORD
            </SubmitButton>
          </FormActions>
        </form>
        {user && <EmailResetLink email={user.email} />}
      </Card>
    </AccountFrame>
  )
}
