import { deskCatalogue } from './desk-catalogue.ts'
import { showDesk } from './desk-show.ts'

showDesk('desk-stock', deskCatalogue['desk-stock'])
