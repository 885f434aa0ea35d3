import { useApi } from '#kit/web/api.tsx'
import { ChoiceField } from '#kit/web/form/ChoiceField.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SelectField } from '#kit/web/form/SelectField.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { noticeTexts } from '#features/notices/notice-texts.contract.ts'
import { type NoticeKind, noticeDurationOptions, noticeKinds } from '#features/notices/notices.contract.ts'
import { withFormErrors } from '#desk/features/staff/web/with-form-errors.ts'
import {
  extendNotice,
  extendNoticeBody,
  publishNotice,
  publishNoticeBody,
  type ActiveNotice,
} from '../notices.contract.ts'
import * as s from './health.module.css'

const endTimeOptions = noticeDurationOptions.map((hours) => ({
  value: `${hours}` as const,
  label: hours === 1 ? 'In 1 hour' : `In ${hours} hours`,
}))

type FormProps = { onDone: (text: string) => void }

export function PublishNoticeForm({ kind, onDone }: FormProps & { kind: NoticeKind | '' }) {
  const api = useApi()
  const form = useForm({
    schema: publishNoticeBody,
    initial: { kind, hours: '' },
    submit: (body) => withFormErrors(api.call(publishNotice, { body })),
    onSuccess: () => onDone('Notice published. Every page of the portal shows it within 15 seconds.'),
  })
  const chosenKind = noticeKinds.find((each) => each === form.values.kind)
  return (
    <form {...form.props}>
      <FormErrors form={form} />
      <ChoiceField
        form={form}
        name="kind"
        legend="Type of notice"
        options={noticeKinds.map((value) => ({ value, label: noticeTexts[value].title }))}
      />
      <SelectField
        form={form}
        name="hours"
        label="Ends"
        optional
        options={[{ value: '', label: 'Not known (at most a day)' }, ...endTimeOptions]}
      />
      <div role="status">
        {chosenKind && (
          <>
            <p className={s.label}>Customers will see:</p>
            <Banner kind="warn">
              <b>{noticeTexts[chosenKind].title}</b> {noticeTexts[chosenKind].text}
            </Banner>
          </>
        )}
      </div>
      <SubmitButton form={form} wide pendingText="One moment">
        Publish a notice
      </SubmitButton>
    </form>
  )
}

export function ExtendNoticeForm({ notice: { id, kind }, onDone }: FormProps & { notice: ActiveNotice }) {
  const api = useApi()
  const form = useForm({
    schema: extendNoticeBody,
    initial: { hours: '4' },
    submit: (body) => withFormErrors(api.call(extendNotice, { params: { id }, body })),
    onSuccess: () => onDone('Notice extended.'),
  })
  return (
    <form {...form.props}>
      <p>{noticeTexts[kind].title}</p>
      <FormErrors form={form} />
      <SelectField form={form} name="hours" label="Ends" options={endTimeOptions} />
      <SubmitButton form={form} wide pendingText="One moment">
        Extend
      </SubmitButton>
    </form>
  )
}
