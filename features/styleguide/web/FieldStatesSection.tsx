import { useEffect, useEffectEvent } from 'react'
import * as v from 'valibot'
import { formMessages } from '#kit/contract/errors.ts'
import { simSamples } from '#kit/contract/sim-samples.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { CheckboxField } from '#kit/web/form/CheckboxField.tsx'
import { ChoiceField } from '#kit/web/form/ChoiceField.tsx'
import { ErrorText } from '#kit/web/form/ErrorText.tsx'
import { FieldRow } from '#kit/web/form/FieldRow.tsx'
import type { Form } from '#kit/web/form/form.ts'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SelectField } from '#kit/web/form/SelectField.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { TextField } from '#kit/web/form/TextField.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { Icon } from '#kit/web/widgets/Icon.tsx'
import { Section } from './Section.tsx'

const longName = 'Taumatawhakatangihangakoauauotamateaturipukakapikimaungahoronukupokaiwhenuakitanatahu '
  .repeat(2)
  .trim()
const initialValues = {
  plain: '',
  locked: 'ana@example.nz',
  long: longName,
  wrong: '555 01',
  chosen: '',
  transfer: 'no',
  agreed: false,
  day: '',
  month: '',
  year: '',
  code: '',
}
const errorEntry = {
  message: 'This number has already been activated.',
  actions: [{ url: 'https://example.com/', text: 'Find out why' }],
}

export function FieldStatesSection() {
  const form = useForm({ schema: v.object({}), initial: initialValues, submit: async () => {} })

  const showErrors = useEffectEvent(() => {
    const requiredErrors = [formMessages.required]
    form.setErrors({
      wrong: [errorEntry, 'There is another problem.'],
      chosen: requiredErrors,
      transfer: requiredErrors,
      agreed: requiredErrors,
      __all__: [formMessages.tooMany],
    })
  })
  useEffect(() => {
    if (form.hydrated) showErrors()
  }, [form.hydrated])

  return (
    <Section
      title="Field states"
      note="An error message replaces the hint, and the field is outlined. The error disappears when the field’s value changes."
    >
      <form {...form.props}>
        <FormErrors form={form} />
        <TextFieldStates form={form} />
        <SelectField
          form={form}
          name="chosen"
          label="Nothing selected"
          placeholder="Choose one"
          options={[{ value: 'one', label: 'The only option' }]}
          autoComplete="off"
        />
        <ChoiceField
          form={form}
          name="transfer"
          legend="A choice with an error"
          row
          options={[
            { value: 'yes', label: 'Yes' },
            { value: 'no', label: 'No' },
          ]}
        />
        <CheckboxField form={form} name="agreed" label="A checkbox with an error" />
        <ShortFields form={form} />
        <SubmitButton form={form}>Disabled because of errors</SubmitButton>
      </form>
      <p className="muted">
        A single error: <ErrorText entry={errorEntry} />
      </p>
    </Section>
  )
}

function TextFieldStates({ form }: { form: Form<typeof initialValues> }) {
  const { market } = useBootstrap()
  return (
    <>
      <TextField
        form={form}
        name="plain"
        label="Empty, with a placeholder and a hint"
        placeholder={simSamples[market.phoneRegion].number}
        hint="This hint is below the field"
        autoComplete="off"
      />
      <TextField form={form} name="locked" label="Read only" readOnly autoComplete="off" />
      <TextField
        form={form}
        name="long"
        label="A value that is longer than its field, and a label that is longer than one line"
        autoComplete="off"
      />
      <TextField
        form={form}
        name="wrong"
        label="With two errors, one of them with a link"
        autoComplete="off"
        trailing={<Icon name="sim" />}
      />
    </>
  )
}

const ShortFields = ({ form }: { form: Form<typeof initialValues> }) => (
  <FieldRow columns={4}>
    <TextField form={form} name="day" label="Day" inputMode="numeric" autoComplete="off" />
    <TextField form={form} name="month" label="Month" inputMode="numeric" autoComplete="off" />
    <TextField form={form} name="year" label="Year" inputMode="numeric" autoComplete="off" />
    <TextField form={form} name="code" label="Capitals" uppercase autoComplete="off" />
  </FieldRow>
)
