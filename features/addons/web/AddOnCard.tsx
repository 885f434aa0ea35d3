import { useId } from 'react'
import { decimalToCents } from '#kit/contract/money.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { ChoiceCard } from '#kit/web/form/ChoiceCard.tsx'
import { NewTabLink } from '#kit/web/Link.tsx'
import { Icon } from '#kit/web/widgets/Icon.tsx'
import { Price } from '#kit/web/widgets/Price.tsx'
import type { Product } from '#features/plans/plans.contract.ts'
import { getAllowanceAmounts, isUsedAbroad } from './addon.labels.ts'
import * as s from './addons.module.css'

type Props = { addOn: Product; name: string; checked: boolean; onChoose: () => void }

export function AddOnCard({ addOn, name, checked, onChoose }: Props) {
  const { layout } = useBootstrap()
  const id = useId()
  const { title, length, price, rrp, unique_id } = addOn
  return (
    <ChoiceCard
      name={name}
      value={unique_id}
      checked={checked}
      onChoose={onChoose}
      labelledBy={`${id}title ${id}price`}
      describedBy={`${id}contents ${id}length`}
      more={
        isUsedAbroad(addOn) && (
          <NewTabLink href={layout.roaming_link_url} className={s.roaming}>
            <Icon name="globe" />
            {layout.roaming_link_text}
          </NewTabLink>
        )
      }
    >
      <span id={`${id}title`} className={s.title}>
        {title}
      </span>
      <span id={`${id}contents`} className={s.contents}>
        {getAllowanceAmounts(addOn).map((part) => (
          <span key={part}>{part} </span>
        ))}
      </span>
      <span className={s.cost}>
        <span id={`${id}length`}>For {length} days</span>
        <span id={`${id}price`}>
          <Price big cents={decimalToCents(price)} was={rrp === null ? null : decimalToCents(rrp)} />
        </span>
      </span>
    </ChoiceCard>
  )
}
