import { useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { PasswordField } from '#kit/web/form/PasswordField.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { Button } from '#kit/web/widgets/Button.tsx'
import { useUser } from '#features/auth/web/use-user.ts'
import { pukSchema, showPuk } from '../own-number.contract.ts'
import * as s from './number.module.css'

/** Shows a SIM's PUK after a password check. The PUK is kept only in this component's state. */
export function Puk({ uuid }: { uuid: string }) {
  const [isPasswordShown, setPasswordShown] = useState(false)
  const [puk, setPuk] = useState<string | null>(null)
  if (puk !== null)
    return (
      <p role="status" className={s.puk}>
        Your PUK is <b translate="no">{puk}</b>
      </p>
    )
  if (isPasswordShown) return <PukPasswordForm uuid={uuid} onShown={setPuk} />
  return (
    <Button kind="quiet" onClick={() => setPasswordShown(true)}>
      Show PUK
    </Button>
  )
}

function PukPasswordForm({ uuid, onShown }: { uuid: string; onShown: (puk: string) => void }) {
  const api = useApi()
  const user = useUser()
  const form = useForm({
    schema: pukSchema,
    initial: { password: '' },
    async submit(values) {
      const { data } = await api.call(showPuk, { params: { uuid }, body: values })
      onShown(data.puk)
    },
  })
  return (
    <form {...form.props}>
      <FormErrors form={form} />
      {/* Tells password managers which account the password belongs to. */}
      <input type="text" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
      <PasswordField form={form} name="password" label="Current password" autoComplete="current-password" />
      <Button
        kind="quiet"
        type="submit"
        disabled={!form.canSubmit}
        aria-busy={form.status === 'submitting' || undefined}
      >
        Show PUK
      </Button>
    </form>
  )
}
