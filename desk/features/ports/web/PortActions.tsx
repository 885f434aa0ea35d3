import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { useMe } from '#desk/features/staff/web/me.queries.ts'
import type { DeskPort } from '../ports.contract.ts'
import { contactLabels } from './port.labels.ts'

type Props = {
  port: DeskPort
  onTake: () => void
  onHandBack: () => void
  onContact: (() => void) | null
  onCancel: (() => void) | null
  onCorrect: (() => void) | null
}

export function PortActions({ port: { owner, contact }, onTake, onHandBack, onContact, onCancel, onCorrect }: Props) {
  const me = useMe()
  return (
    <>
      {owner === null && (
        <DenseButton keys="T" onClick={onTake}>
          Take
        </DenseButton>
      )}
      {owner && (owner.is_own || me?.is_lead) && <DenseButton onClick={onHandBack}>Unassign</DenseButton>}
      {onContact && (
        <DenseButton icon="mail" keys="A" onClick={onContact}>
          {contactLabels[contact?.act ?? 'ask']}
        </DenseButton>
      )}
      {onCancel && (
        <DenseButton icon="close" keys="X" onClick={onCancel}>
          Cancel transfer
        </DenseButton>
      )}
      {onCorrect && (
        <DenseButton kind="primary" keys="E" onClick={onCorrect}>
          Correct and resubmit
        </DenseButton>
      )}
    </>
  )
}
