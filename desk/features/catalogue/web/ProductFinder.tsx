import { type ReactNode, useState } from 'react'
import { createWordFilter } from '#kit/contract/match-words.ts'
import { ChipRow } from '#kit/web/desk/ChipRow.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import type { DeskProduct } from '../catalogue.contract.ts'
import * as s from './catalogue.module.css'

type Props = {
  products: readonly DeskProduct[]
  pageSize: number
  children: (shown: readonly DeskProduct[], more: ReactNode) => ReactNode
}

const kinds = [
  { value: 'all', text: 'All' },
  { value: 'plan', text: 'Plans' },
  { value: 'add-on', text: 'Add-ons' },
] as const
type Kind = (typeof kinds)[number]['value']

/** A search field and a choice of product type above a list of products, of which only the first ones are shown. */
export default function ProductFinder({ products, pageSize, children }: Props) {
  const [{ query, kind, limit }, setSearch] = useState({ query: '', kind: 'all' as Kind, limit: pageSize })
  const isWanted = createWordFilter(query)
  const matches = products.filter((product) => isWanted(searchTextOf(product)))
  const ofKind = (wanted: Kind) => (wanted === 'all' ? matches : matches.filter((product) => product.kind === wanted))
  const found = ofKind(kind)
  return (
    <>
      <div className={s.finder}>
        <label>
          <span className="visually-hidden">Search products</span>
          <input
            type="search"
            size={32}
            placeholder="Name, ID, data, length or price"
            autoComplete="off"
            spellCheck={false}
            value={query}
            onChange={({ currentTarget }) => setSearch({ query: currentTarget.value, kind, limit: pageSize })}
          />
        </label>
        <ChipRow
          label="Product type"
          chips={kinds.map((chip) => ({ ...chip, count: ofKind(chip.value).length }))}
          value={kind}
          onChange={(value) => setSearch({ query, kind: value, limit: pageSize })}
        />
      </div>
      <div>
        {children(
          found.slice(0, limit),
          found.length > limit && (
            <DenseButton onClick={() => setSearch({ query, kind, limit: limit + pageSize })}>
              Show more ({found.length - limit} left)
            </DenseButton>
          ),
        )}
      </div>
    </>
  )
}

const searchTextOf = ({ title, unique_id, data_gb, days, price }: DeskProduct): string =>
  `${title} ${unique_id} ${data_gb} GB ${days} days ${price}`
