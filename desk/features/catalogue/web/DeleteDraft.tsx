import { useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { ErrorBanner } from '#kit/web/desk/ErrorBanner.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { withFormErrors } from '#desk/features/staff/web/with-form-errors.ts'
import { dropDraft } from '../catalogue.contract.ts'

type Props = { draft: { number: number; hash: string }; onDone: () => void }

export function DeleteDraft({ draft: { number, hash }, onDone }: Props) {
  const api = useApi()
  const [isConfirming, setConfirming] = useState(false)
  const drop = useMutation({
    mutationFn: () => withFormErrors(api.call(dropDraft, { params: { number: String(number) }, body: { hash } })),
    onSuccess: onDone,
  })
  if (!isConfirming) return <DenseButton onClick={() => setConfirming(true)}>Delete draft</DenseButton>
  return (
    <>
      <ErrorBanner error={drop.error} />
      <DenseButton
        kind="bad"
        aria-busy={drop.isPending || undefined}
        onClick={() => drop.isPending || void drop.mutate()}
      >
        Delete permanently
      </DenseButton>
      <DenseButton onClick={() => setConfirming(false)}>Keep draft</DenseButton>
    </>
  )
}
