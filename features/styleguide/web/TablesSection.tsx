import { simSamples } from '#kit/contract/sim-samples.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Link } from '#kit/web/Link.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Table } from '#kit/web/widgets/Table.tsx'
import { Section, State, States } from './Section.tsx'

const feedbackPath = '/styleguide/?part=feedback'

const purchases = [
  ['21 Nov 2026', 'FT7K2Q9', '$109.40'],
  ['20 Nov 2026', 'CN4M8XW', '-$22.00'],
  ['05 Sep 2026', 'FT1A0BC', '$1,120.36'],
] as const

export function TablesSection() {
  return (
    <Section
      title="Tables"
      note="Figures are aligned to the right. On the narrowest screens, a table hides optional columns and never scrolls sideways."
    >
      <States wide>
        <State name="Figures">
          <Table
            caption="Data by day"
            columns={[
              { title: 'Date', isShort: true },
              { title: 'Data Usage (MB)', isFigure: true },
            ]}
            rows={[
              ['21 Nov 2026', '1,204.5'],
              ['20 Nov 2026', '86.0'],
              ['19 Nov 2026', '0.0'],
            ].map((cells) => ({ key: cells[0] ?? '', cells }))}
          />
        </State>
        <LongCellsTable />
      </States>
      <State name="Rows with links">
        <Card inset={false}>
          <Table
            caption="Purchases"
            columns={[
              { title: 'Date', isShort: true },
              { title: 'Order #', isName: true },
              { title: 'Amount Paid', isFigure: true, isExtra: true },
              { title: <span className="visually-hidden">Document</span>, isFigure: true },
            ]}
            rows={purchases.map((cells) => ({
              key: cells[1],
              href: feedbackPath,
              cells: [
                ...cells,
                <Link key="view" href={feedbackPath} aria-label={`View ${cells[1]}`}>
                  View
                </Link>,
              ],
            }))}
          />
        </Card>
      </State>
    </Section>
  )
}

function LongCellsTable() {
  const { market } = useBootstrap()
  return (
    <State name="Text too long for its column">
      <Table
        caption="Calls"
        columns={[{ title: 'Date' }, { title: 'To Number' }, { title: 'Duration', isFigure: true }]}
        rows={[
          {
            key: 1,
            cells: ['21 Nov 2026, 10:04', `${simSamples[market.phoneRegion].number} 00000000000000000000`, '1:02:03'],
          },
        ]}
      />
    </State>
  )
}
