import { Card } from '#kit/web/widgets/Card.tsx'
import { Columns } from '#kit/web/widgets/Layout.tsx'
import { DemoFormSection } from './DemoFormSection.tsx'
import { FieldStatesSection } from './FieldStatesSection.tsx'
import { PinSection } from './PinSection.tsx'

const rules = [
  'A field is checked as it is left.',
  'Its errors go as soon as it changes.',
  'Submit is disabled while errors stand or an answer is awaited.',
  'Success shows for 1.5 seconds.',
]

export default function FormsPart() {
  return (
    <Columns
      aside={
        <Card>
          <p>
            <b>How every form behaves</b>
          </p>
          {rules.map((rule) => (
            <p key={rule} className="muted">
              {rule}
            </p>
          ))}
        </Card>
      }
    >
      <DemoFormSection />
      <FieldStatesSection />
      <PinSection />
    </Columns>
  )
}
