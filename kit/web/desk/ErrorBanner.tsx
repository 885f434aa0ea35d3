import { toFormErrors } from '#kit/contract/errors.ts'
import { ErrorText } from '../form/ErrorText.tsx'
import { Banner } from '../widgets/Banner.tsx'

export function ErrorBanner({ error }: { error: Error | null }) {
  const entries = error ? Object.values(toFormErrors(error)).flat() : []
  return (
    <div role="alert">
      {entries.length > 0 && (
        <Banner kind="bad">
          {entries.map((entry) => (
            <p key={JSON.stringify(entry)}>
              <ErrorText entry={entry} />
            </p>
          ))}
        </Banner>
      )}
    </div>
  )
}
