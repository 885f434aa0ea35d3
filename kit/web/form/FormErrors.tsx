import { Banner } from '../widgets/Banner.tsx'
import { ErrorText } from './ErrorText.tsx'
import type { Form } from './form.ts'

export function FormErrors<V extends object>({ form }: { form: Form<V> }) {
  const entries = form.errors.__all__
  if (!entries) return null
  return (
    <div id={`${form.id}errors`} role="alert" tabIndex={-1} data-form-errors="">
      <Banner kind="bad">
        {entries.map((entry) => (
          <p key={JSON.stringify(entry)}>
            <ErrorText entry={entry} />
          </p>
        ))}
      </Banner>
    </div>
  )
}
