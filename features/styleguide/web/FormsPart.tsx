import { Card } from '#kit/web/widgets/Card.tsx'
import { Columns } from '#kit/web/widgets/Layout.tsx'
import { DemoFormSection } from './DemoFormSection.tsx'
import { FieldStatesSection } from './FieldStatesSection.tsx'
import { PinSection } from './PinSection.tsx'

const rules = [
  'A field is checked when the customer leaves it.',
  'A field’s error messages disappear as soon as its value changes.',
  'The submit button is disabled while the form has errors or is waiting for a response.',
  'The success message is shown for 1.5 seconds.',
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
