import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { StaffAvatar } from '#kit/web/desk/StaffAvatar.tsx'
import type { PortRow } from '../ports.contract.ts'
import * as s from './ports.module.css'

type Props = { owner: PortRow['owner']; number: string; onTake: () => void }

export function PortOwnerCell({ owner, number, onTake }: Props) {
  if (!owner)
    return (
      <DenseButton small kind="word" onClick={onTake}>
        Take<span className="visually-hidden"> {number}</span>
      </DenseButton>
    )
  return (
    <span className={s.owner} title={owner.name}>
      <StaffAvatar name={owner.name} />
      <span className="visually-hidden">{owner.is_own ? 'You' : owner.name}</span>
    </span>
  )
}
