import { useApi } from '#kit/web/api.tsx'
import { ChoiceField } from '#kit/web/form/ChoiceField.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SelectField } from '#kit/web/form/SelectField.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { type NoticeKind, noticeHours, noticeKinds, noticeWords } from '#features/notices/notices.contract.ts'
import { inWords } from '#desk/features/staff/web/in-words.ts'
import { prolongNotice, prolongNoticeBody, sayNotice, sayNoticeBody, type StandingNotice } from '../notices.contract.ts'
import * as s from './health.module.css'

const ends = noticeHours.map((hours) => ({
  value: `${hours}` as const,
  label: hours === 1 ? 'In 1 hour' : `In ${hours} hours`,
}))

type Done = { onDone: (said: string) => void }

export function SayNoticeForm({ kind, onDone }: Done & { kind: NoticeKind | '' }) {
  const api = useApi()
  const form = useForm({
    schema: sayNoticeBody,
    initial: { kind, hours: '' },
    submit: (body) => inWords(api.call(sayNotice, { body })),
    onSuccess: () => onDone('Notice published. Every page of the portal shows it within 15 seconds.'),
  })
  const chosen = noticeKinds.find((each) => each === form.values.kind)
  return (
    <form {...form.props}>
      <FormErrors form={form} />
      <ChoiceField
        form={form}
        name="kind"
        legend="Type of notice"
        options={noticeKinds.map((value) => ({ value, label: noticeWords[value].title }))}
      />
      <SelectField
        form={form}
        name="hours"
        label="Ends"
        optional
        options={[{ value: '', label: 'Not known (after a day at most)' }, ...ends]}
      />
      <div role="status">
        {chosen && (
          <>
            <p className={s.label}>Customers will see:</p>
            <Banner kind="warn">
              <b>{noticeWords[chosen].title}</b> {noticeWords[chosen].text}
            </Banner>
          </>
        )}
      </div>
      <SubmitButton form={form} wide pendingText="One moment">
        Say so on the portal
      </SubmitButton>
    </form>
  )
}

export function ProlongNoticeForm({ notice: { id, kind }, onDone }: Done & { notice: StandingNotice }) {
  const api = useApi()
  const form = useForm({
    schema: prolongNoticeBody,
    initial: { hours: '4' },
    submit: (body) => inWords(api.call(prolongNotice, { params: { id }, body })),
    onSuccess: () => onDone('Notice extended.'),
  })
  return (
    <form {...form.props}>
      <p>{noticeWords[kind].title}</p>
      <FormErrors form={form} />
      <SelectField form={form} name="hours" label="Ends" options={ends} />
      <SubmitButton form={form} wide pendingText="One moment">
        Extend
      </SubmitButton>
    </form>
  )
}
