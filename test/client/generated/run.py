"""Makes calls by a generated client: run.py FOLDER BASE, calls on standard input, answers on standard output."""
import json
import re
import sys

folder, base = sys.argv[1:]
sys.path.insert(0, folder)
import openapi_client

answers = []
with openapi_client.ApiClient(openapi_client.Configuration(host=base)) as client:
    apis = [getattr(openapi_client, name)(client) for name in dir(openapi_client) if name.endswith("Api")]
    for call in json.load(sys.stdin):
        method = re.sub("([A-Z])", r"_\1", call["operation"]).lower()
        api = next(api for api in apis if hasattr(api, method))
        try:
            answer = getattr(api, method)(**call["parameters"])
            answers.append(client.sanitize_for_serialization(answer))
        except openapi_client.ApiException as error:
            answers.append({"status": error.status, **json.loads(error.body)})
print(json.dumps(answers))
