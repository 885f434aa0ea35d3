import { useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { Failure } from '#kit/web/desk/Failure.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { inWords } from '#desk/features/staff/web/in-words.ts'
import { dropDraft } from '../catalogue.contract.ts'

type Props = { draft: { number: number; hash: string }; onDone: () => void }

export function DropDraft({ draft: { number, hash }, onDone }: Props) {
  const api = useApi()
  const [isSure, setSure] = useState(false)
  const drop = useMutation({
    mutationFn: () => inWords(api.call(dropDraft, { params: { number: String(number) }, body: { hash } })),
    onSuccess: onDone,
  })
  if (!isSure) return <DenseButton onClick={() => setSure(true)}>Delete draft</DenseButton>
  return (
    <>
      <Failure error={drop.error} />
      <DenseButton
        kind="bad"
        aria-busy={drop.isPending || undefined}
        onClick={() => drop.isPending || void drop.mutate()}
      >
        Delete permanently
      </DenseButton>
      <DenseButton onClick={() => setSure(false)}>Keep draft</DenseButton>
    </>
  )
}
