// Written by `npm run texts`.
declare const messages: {
  "day": "Day",
  "total": "Total",
  "chooseDay": "{label}: choose a day",
  "period": "Period",
  "days": "{count, number} days",
  "lastDays": "The last {count, number} days. Days end at midnight UTC.",
  "dayTotal": "{day}: {total, number} in total. {parts}"
};
export = messages;
