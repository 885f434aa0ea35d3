import { CheckboxField } from '#kit/web/form/CheckboxField.tsx'
import type { Form } from '#kit/web/form/form.ts'

type Props = {
  form: Form<{ save_token: boolean }>
  replaces: boolean
}

export function SaveCard({ form, replaces }: Props) {
  return (
    <CheckboxField
      form={form}
      name="save_token"
      optional
      label="Save this card for next time"
      hint={
        replaces
          ? 'This replaces your saved card, including for renewals.'
          : 'Use this card for your next renewal or Add-On. You can remove it in your account at any time.'
      }
    />
  )
}
