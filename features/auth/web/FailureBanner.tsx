import { toFormErrors } from '#kit/contract/errors.ts'
import { ErrorText } from '#kit/web/form/ErrorText.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'

export function FailureBanner({ error }: { error: Error | null }) {
  const entries = Object.values(toFormErrors(error)).flat()
  return (
    <Banner kind="bad">
      {entries.map((entry) => (
        <p key={JSON.stringify(entry)}>
          <ErrorText entry={entry} />
        </p>
      ))}
    </Banner>
  )
}
