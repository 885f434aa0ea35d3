import type { CallAbout } from '#kit/web/desk/call-about.ts'
import { ChoiceField } from '#kit/web/form/ChoiceField.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { inWords } from '#desk/features/staff/web/in-words.ts'
import { callerPinBody, type CallerWay, sendCallerPin } from '../callers.contract.ts'
import * as s from './callers.module.css'

type Props = { id: string; ways: readonly CallerWay[]; call: CallAbout; onSent: () => Promise<void> }

const nameOf = ({ by, to }: CallerWay): string => (by === 'text' ? `Text to ${to}` : `Email to ${to}`)

/** Chooses where the PIN goes. For security, a destination that the caller names is never offered. */
export function WayForm({ id, ways, call, onSent }: Props) {
  const open = ways.filter((way) => way.why_not === null)
  const form = useForm({
    schema: callerPinBody,
    initial: { way: open[0]?.id ?? '' },
    submit: (body) => inWords(call((api) => api.call(sendCallerPin, { params: { id }, body }))),
    onSuccess: onSent,
  })
  return (
    <form {...form.props}>
      <p className={s.lead}>We send the caller a six-digit PIN, and they read it out to you.</p>
      <FormErrors form={form} />
      {open.length > 0 && (
        <ChoiceField
          form={form}
          name="way"
          legend="Send the PIN to"
          options={open.map((way) => ({ value: way.id, label: nameOf(way) }))}
        />
      )}
      {open.length === 0 && (
        <p className={s.lead}>
          There is nowhere safe to send a PIN, so you can’t verify this caller now. The reasons are below.
        </p>
      )}
      <ul className={s.closed}>
        {ways.map((way) => way.why_not && <li key={way.id}>{`${nameOf(way)} is not possible. ${way.why_not}`}</li>)}
      </ul>
      {open.length > 0 && (
        <SubmitButton form={form} wide pendingText="Sending">
          Send PIN
        </SubmitButton>
      )}
    </form>
  )
}
