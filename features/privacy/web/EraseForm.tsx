import { useApi } from '#kit/web/api.tsx'
import { FormActions } from '#kit/web/form/FormActions.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { PasswordField } from '#kit/web/form/PasswordField.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import { useNavigate } from '#kit/web/router/location.ts'
import { Card } from '#kit/web/widgets/Card.tsx'
import { DangerText } from '#kit/web/widgets/DangerText.tsx'
import { useUser } from '#features/auth/web/use-user.ts'
import { requestErasure, erasureRequestSchema } from '../privacy.contract.ts'
import { updateCachedErasure } from './privacy.queries.ts'
import * as s from './privacy.module.css'

export function EraseForm() {
  const api = useApi()
  const client = useQueryClient()
  const navigate = useNavigate()
  const user = useUser()
  const form = useForm({
    schema: erasureRequestSchema,
    initial: { password: '' },
    submit: (body) => api.call(requestErasure, { body }),
    onSuccess({ data }): void {
      updateCachedErasure(client, data)
      navigate('/account/privacy/')
    },
  })
  return (
    <Card className={s.card}>
      <form {...form.props}>
        <FormErrors form={form} />
        <p className={s.beforeField}>
          We’ll email you a link straight away. You have one day to use it if you decide to keep your account.
          Auto-renewal is paused during that day.
        </p>
        {/* Tells password managers which account the password belongs to. */}
        <input type="text" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
        <PasswordField form={form} name="password" label="Current password" />
        <FormActions back="/account/privacy/" backText="Keep my account">
          <DangerText>
            <SubmitButton form={form} pendingText="SENDING">
              DELETE MY DATA
            </SubmitButton>
          </DangerText>
        </FormActions>
      </form>
    </Card>
  )
}
