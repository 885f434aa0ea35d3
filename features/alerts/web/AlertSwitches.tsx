import { FieldNote } from '#kit/web/form/FieldNote.tsx'
import type { Form } from '#kit/web/form/form.ts'
import { SelectField } from '#kit/web/form/SelectField.tsx'
import { Switch } from '#kit/web/form/Switch.tsx'
import { alertMessages, type AlertSettings, type UsageAlert } from '../alerts.contract.ts'
import * as s from './alerts.module.css'

const channelOptions = [
  { value: 'text', label: 'By text' },
  { value: 'email', label: 'By email' },
  { value: 'both', label: 'By text and email' },
]

export function UsageSwitch({ form, name, label }: { form: Form<AlertSettings>; name: UsageAlert; label: string }) {
  const isOn = form.values[name] !== 'off'
  return (
    <div className={s.alert}>
      <Switch label={label} isOn={isOn} onChange={(on) => form.set(name, on ? 'text' : 'off')} />
      {isOn && (
        <div className={s.way}>
          <SelectField
            // The cast is safe: `SelectField` is typed for any string, but all options here are alert channels.
            form={form as unknown as Form<Record<UsageAlert, string>>}
            name={name}
            label={<span className="visually-hidden">How we alert you at {label}</span>}
            options={channelOptions}
          />
        </div>
      )}
    </div>
  )
}

export function PlanEndSwitch({ form, isFixed }: { form: Form<AlertSettings>; isFixed: boolean }) {
  const field = form.field('before_end')
  return (
    <div className={s.alert}>
      <div>
        <Switch
          label="Before my plan ends"
          describedBy={field.noteId}
          isOn={isFixed || form.values.before_end === 'both'}
          isFixed={isFixed}
          onChange={(on) => form.set('before_end', on ? 'both' : 'email')}
        />
        <FieldNote
          field={field}
          hint={
            isFixed
              ? alertMessages.endFixed
              : 'Get a text before your plan renews. We always email you the amount, and text you if something goes wrong.'
          }
        />
      </div>
    </div>
  )
}
