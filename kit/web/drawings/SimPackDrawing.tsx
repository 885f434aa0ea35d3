import type { Region } from '#kit/contract/phone.ts'
import { simSamples } from '#kit/contract/sim-samples.ts'
import * as s from './SimPackDrawing.module.css'

export function SimPackDrawing({ brandName, region }: { brandName: string; region: Region }) {
  const { number, iccid } = simSamples[region]
  return (
    <figure className={s.figure}>
      <svg className={s.drawing} viewBox="0 0 520 350" aria-hidden="true">
        <g transform="rotate(-4 260 170)">
          <rect className={s.sleeve} x="34" y="16" width="444" height="290" rx="22" />
          <path className={s.flap} d="M34 74h444" />
          <text className={s.sleeveText} x="64" y="54">
            {brandName}
          </text>
        </g>
        <g transform="rotate(1.5 260 210)">
          <rect className={s.card} x="30" y="84" width="460" height="244" rx="20" />
          <Sim />
          <text className={s.caption} x="212" y="124">
            PHONE NUMBER
          </text>
          <rect className={s.ring} x="200" y="134" width="264" height="54" rx="12" />
          <text className={s.number} x="216" y="171" textLength="226">
            {number}
          </text>
          <BarCode />
          <text className={s.caption} x="56" y="296">
            SIM
          </text>
          <text className={s.serial} x="94" y="297" textLength="250">
            {iccid}
          </text>
          <rect className={s.ring} x="356" y="270" width="108" height="42" rx="10" />
          <text className={s.serialEnd} x="372" y="301" textLength="72">
            4207
          </text>
          <Marker x={464} y={134} digit={1} />
          <Marker x={464} y={270} digit={2} />
        </g>
      </svg>
      <figcaption className={s.legend}>
        <p>
          <Badge digit={1} />
          The Phone Number is in large print on the card.
        </p>
        <p>
          <Badge digit={2} />
          The last 4 digits are the end of the long number below the bar code.
        </p>
      </figcaption>
    </figure>
  )
}

export function Badge({ digit }: { digit: 1 | 2 }) {
  return (
    <span className={s.badge} aria-hidden="true">
      {digit}
    </span>
  )
}

function Marker({ x, y, digit }: { x: number; y: number; digit: number }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <circle className={s.marker} r="17" />
      <text className={s.digit} y="7">
        {digit}
      </text>
    </g>
  )
}

function Sim() {
  return (
    <g transform="translate(56 112)">
      <path className={s.frame} d="M8 0h74l34 34v70a8 8 0 0 1-8 8H8a8 8 0 0 1-8-8V8a8 8 0 0 1 8-8Z" />
      <rect className={s.chip} x="24" y="30" width="62" height="56" rx="10" />
      <path className={s.contact} d="M24 49h20M24 67h20M66 49h20M66 67h20M44 30v56M66 30v56M44 58h22" />
    </g>
  )
}

const bars = [
  3, 1, 2, 1, 4, 2, 1, 3, 1, 1, 2, 4, 1, 2, 3, 1, 2, 1, 1, 4, 2, 3, 1, 2, 1, 3, 1, 1, 2, 4, 1, 3, 2, 1, 1, 2, 3, 1, 4,
  1,
]

function BarCode() {
  const barPositions = bars.map((_, index) => bars.slice(0, index).reduce((sum, width) => sum + width * 1.5 + 2.2, 212))
  return (
    <path
      className={s.bars}
      d={bars.map((width, index) => `M${barPositions[index]} 208h${width * 1.5}v38h-${width * 1.5}z`).join('')}
    />
  )
}
