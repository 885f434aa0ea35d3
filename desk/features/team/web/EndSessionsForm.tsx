import { useApi } from '#kit/web/api.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { ErrorBanner } from '#kit/web/desk/ErrorBanner.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { withFormErrors } from '#desk/features/staff/web/with-form-errors.ts'
import { endSessions, type TeamPerson } from '../team.contract.ts'

type Props = { person: TeamPerson; onDone: (text: string) => void }

export function EndSessionsForm({ person: { id, name }, onDone }: Props) {
  const api = useApi()
  const endSessionsMutation = useMutation({
    mutationFn: () => withFormErrors(api.call(endSessions, { params: { id } })),
    onSuccess: () => onDone(`${name} is signed out everywhere.`),
  })
  return (
    <>
      <p>This person will be signed out everywhere. They can sign in again with their passkey.</p>
      <ErrorBanner error={endSessionsMutation.error} />
      <DenseButton
        kind="primary"
        aria-busy={endSessionsMutation.isPending || undefined}
        onClick={() => endSessionsMutation.isPending || void endSessionsMutation.mutate()}
      >
        End sessions
      </DenseButton>
    </>
  )
}
